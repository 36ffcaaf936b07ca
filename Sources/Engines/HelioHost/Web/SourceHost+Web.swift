import HelioAdmission
package import HelioCore
import HelioMedia
import HelioRemote
import HelioRemoteWire
import HelioSession

// Viewers in browsers at `SourceHost`: like native viewers, they are admitted by the admission and pairing desks, and
// watch the same stream.

extension SourceHost {
    /// The watching browsers, in the order in which they joined; slices are sent to these only.
    package var webPeers: [ConnectionID] { web.sessions.values.filter { $0.state == .watching }.map(\.id) }

    /// The state of a browser's session; `nil` once it has ended.
    package func webState(of connection: ConnectionID) -> WebSessionState? { web.sessions[connection]?.state }

    func handle(_ input: WebInput, of id: ConnectionID, now: Instant) {
        if case .connected(let address, let isSecure, let lent) = input {
            return connectWeb(id, address, isSecure: isSecure, lent, now)
        }
        if case .peerReleased = input {
            web.leaving[id] = nil
            return
        }
        guard let session = web.sessions[id] else {
            // The peer connection of a viewer that has left may still report events.
            if web.leaving[id] == nil { web.drops.count(.unknownViewer) }
            return
        }
        switch input {
        case .connected, .peerReleased: return
        case .received(let bytes): session.handle(bytes, host: self, now: now)
        case .disconnected: session.socketClosed()
        case .peerOpened: session.peerOpened(host: self, now: now)
        case .peerRefused(let why): session.peerRefused(why)
        case .peerUnread(let channel): session.peerUnread(channel)
        case .peerEvent(let event):
            // Pass on input at once, before anything else is drained.
            if let input = session.handle(event, host: self, now: now) {
                return outputs.append(.control(.web(id, input)))
            }
        }
        drain(session, now)
    }

    /// Sends a browser a message from `HostControl`. A browser that is leaving is also sent it, as its last message.
    func tellWeb(_ id: ConnectionID, _ message: [UInt8], on channel: RemoteChannel, now: Instant) {
        guard let session = web.sessions[id] ?? web.leaving[id] else { return }
        session.send(message, on: channel)
        drain(session, now)
    }

    private func connectWeb(
        _ id: ConnectionID, _ address: String, isSecure: Bool, _ lent: WebServers, _ now: Instant
    ) {
        guard let settings = settings.web, web.sessions[id] == nil else {
            web.drops.count(.unknownViewer)
            return outputs.append(.web(id, .close))
        }
        let session = WebSession(id, address: address, isSecure: isSecure, lent: lent, now: now)
        if web.sessions.count >= settings.viewerLimit {
            web.drops.count(.tooManyViewers)
            if let stranger = weakest(of: web.sessions.values, for: address) {
                stranger.turnAway()
                drain(stranger, now)
            } else {
                session.turnAway()
                return drain(session, now)
            }
        }
        web.sessions[id] = session
    }

    func answerWebPairing(_ id: ConnectionID, _ answer: PairingDesk.Answer, now: Instant) {
        guard let session = web.sessions[id] else { return }
        session.answerPairing(answer, host: self, now: now)
        drain(session, now)
    }

    func tickWeb(_ now: Instant) {
        for session in web.sessions.values {
            session.tick(host: self, now: now)
            drain(session, now)
        }
    }

    var webDeadline: Deadline? {
        web.sessions.values.reduce(nil) { Deadline.earliest($0, $1.deadline) }
    }

    // MARK: Session services

    var webSettings: WebSettings? { settings.web }

    /// True if a codec serves browsers and all present viewers.
    var canServeWeb: Bool { agree(with: .browser) != nil }

    /// Updates the agreement, as another browser was admitted.
    func welcomeWeb(_ now: Instant) { if let agreed = agree() { adopt(agreed, now) } }

    // MARK: The stream

    var webCapabilities: [StreamCapabilities] { web.sessions.values.compactMap(\.capabilities) }

    // MARK: Sound

    /// The union of all browsers' sound demands.
    var webSoundDemand: [SoundOrigin: SoundDemand] {
        web.sessions.values.reduce(into: [:]) { all, session in
            all.merge(session.soundDemand) { $0.joined(with: $1) }
        }
    }

    /// Sends browsers a packet of sound.
    ///
    /// - Returns: whether the needs of a browser have changed.
    func sendWeb(_ sound: EncodedSound, now: Instant) -> Bool {
        var haveNewNeeds = false
        for session in web.sessions.values {
            let isSent = session.send(sound, now: now)
            if session.pollNewNeeds() { haveNewNeeds = true }
            // The sound's time, ahead of its first packet.
            drain(session, now)
            if isSent { outputs.append(.web(session.id, .peer(.run))) }
        }
        return haveNewNeeds
    }

    // MARK: Sessions

    /// Handles a session's outputs. To be called after every call to the session.
    func drain(_ session: WebSession, _ now: Instant) {
        let isOver = session.state == .ended && web.sessions[session.id] != nil
        if isOver {
            web.sessions[session.id] = nil
            desk.leaves(session.tickets, now: now)
        }
        let hasNewNeeds = session.pollNewNeeds()
        if hasNewNeeds { tellWatched() }
        for demand in session.pollDemands() {
            switch demand {
            case .web(let output):
                if case .peer(.close) = output { web.leaving[session.id] = session }
                outputs.append(.web(session.id, output))
            case .viewer(let demand): execute(demand, of: session.id, now)
            case .keyframe(let wish):
                ask(wish, of: encoding(of: session.id), now)
            case .repair(let wish): ask(wish, of: encoding(of: session.id), now)
            case .bitrate: suggest(now)
            }
        }
        if hasNewNeeds { tellSound() }
        guard isOver else { return }
        earlierDrops.add(session)
        hasLeft(session.viewer, carried: session.carriedBitrate, wasMeasured: session.suggestedBitrate != nil, now)
    }

    func addWeb(to statistics: inout Statistics) {
        for session in web.sessions.values where session.state == .watching {
            var viewer = Statistics.Viewer(
                session.viewer, mayDrive: mayDrive(session), isPaused: session.picture.isPaused,
                framesSent: session.picture.framesSent, encoding: encoding(of: session.id))
            viewer.isWeb = true
            viewer.suggestedBitrate = session.suggestedBitrate
            viewer.isOnRefresh = session.picture.isOnRefresh
            viewer.ownPicture = session.ownPicture.statistics
            session.complete(&viewer)
            statistics.viewers.append(viewer)
        }
    }
}
