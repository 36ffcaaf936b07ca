import HelioAdmission
package import HelioCore
import HelioProtection
import HelioRemote

// Browsers' viewers at `SourceHost`: beside those of our own kind, by the same desks, watching the same stream.

extension SourceHost {
    /// The browsers that watch, in the order in which they came: each slice is for one of these, or for none.
    package var webPeers: [ConnectionID] { web.sessions.values.filter { $0.state == .watching }.map(\.id) }

    /// Where a browser's session stands; `nil` once it has ended.
    package func webState(of connection: ConnectionID) -> WebSessionState? { web.sessions[connection]?.state }

    func handle(_ input: WebInput, of id: ConnectionID, now: Instant) {
        if case .connected(let address) = input { return connectWeb(id, address, now) }
        guard let session = web.sessions[id] else { return web.drops.count(.unknownViewer) }
        switch input {
        case .connected: return
        case .received(let bytes): session.receive(bytes, host: self, now: now)
        case .disconnected: session.socketClosed()
        case .peerMessage(let bytes, let channel):
            // Straight on: input waits for nothing.
            return outputs.append(.control(.web(id, .message(bytes, channel))))
        default: session.peer(input, now: now)
        }
        settle(session, now)
    }

    private func connectWeb(_ id: ConnectionID, _ address: String, _ now: Instant) {
        guard let settings = settings.web, web.sessions[id] == nil else {
            web.drops.count(.unknownViewer)
            return outputs.append(.web(id, .close))
        }
        let session = WebSession(id, address: address, now: now)
        if web.sessions.count >= settings.viewerLimit {
            web.drops.count(.tooManyViewers)
            let strangers = web.sessions.values.compactMap { session in
                session.state.progress.map {
                    Stranger(id: session.id, origin: IPAddress(session.address)?.origin, progress: $0)
                }
            }
            let weakest = Stranger.toMakeRoom(in: strangers, for: IPAddress(address)?.origin, isFull: true)
            if let stranger = weakest.flatMap({ web.sessions[$0.id] }) {
                stranger.turnAway()
                settle(stranger, now)
            } else {
                session.turnAway()
                return settle(session, now)
            }
        }
        web.sessions[id] = session
    }

    func answerWebPairing(_ id: ConnectionID, _ answer: PairingDesk.Answer, now: Instant) {
        guard let session = web.sessions[id] else { return }
        session.answerPairing(answer, host: self, now: now)
        settle(session, now)
    }

    func tickWeb(_ now: Instant) {
        for session in web.sessions.values {
            session.tick(host: self, now: now)
            settle(session, now)
        }
    }

    var webDeadline: Deadline? {
        web.sessions.values.reduce(nil) { Deadline.earliest($0, $1.deadline) }
    }

    func stopWeb(_ now: Instant) {
        for session in web.sessions.values {
            session.putOut("ended", "sharing ended")
            settle(session, now)
        }
    }

    // MARK: What sessions ask of their host

    var webSettings: WebSettings? { settings.web }

    /// What is shown can be shown to browsers too.
    var canServeWeb: Bool { agree(with: .browser) != nil }

    /// One more browser was let in.
    func welcomeWeb(_ now: Instant) { if let agreed = agree() { adopt(agreed, now) } }

    // MARK: The stream

    func sendWeb(_ slice: EncodedSlice) {
        guard !web.sessions.isEmpty, format.codec == .h264 else { return }
        let takers = web.sessions.values.filter { $0.takes(slice) }.map(\.id)
        if !takers.isEmpty { outputs.append(.webSlice(slice, to: takers)) }
    }

    var webCapabilities: [StreamCapabilities] { web.sessions.values.compactMap(\.capabilities) }
    var webBitrates: [Bitrate] { web.sessions.values.compactMap(\.suggestedBitrate) }

    func putOutWeb(unlessDecoding codec: VideoCodec, now: Instant) {
        for session in web.sessions.values where !(session.capabilities?.codecs.contains(codec) ?? true) {
            session.putOut("other-codec", "does not decode \(codec.encodingName)")
            settle(session, now)
        }
    }

    // MARK: Inside

    /// Carries out what a session wants after it has been called.
    func settle(_ session: WebSession, _ now: Instant) {
        if session.state == .ended { web.sessions[session.id] = nil }
        tellWatched()
        for demand in session.takeDemands() {
            switch demand {
            case .web(let output): outputs.append(.web(session.id, output))
            case .control(let input): outputs.append(.control(.web(session.id, input)))
            case .event(let event): outputs.append(.event(event))
            case .usedLink: outputs.append(.event(.linkReplaced(secret: desk.secret)))
            case .keyframe(let wish):
                keyframe.ask(wish)
                tellKeyframe(now)
            case .bitrate: suggest(now)
            }
        }
        guard session.state == .ended else { return }
        earlierDrops.merge(session.allDrops) { $0 + $1 }
        if session.capabilities != nil, let agreed = agree() { adopt(agreed, now) }
        // The slowest may have been the one that left.
        if session.suggestedBitrate != nil { suggest(now) }
        if pairing.release(session.id) { outputs.append(.event(.pairingOver(session.id))) }
    }

    func addWeb(to statistics: inout Statistics) {
        for (name, count) in web.drops.named { statistics.drops[name, default: 0] += count }
        for session in web.sessions.values {
            statistics.drops.merge(session.allDrops) { $0 + $1 }
            guard session.state == .watching else { continue }
            statistics.viewers.append(
                .init(
                    id: session.id, address: session.address, device: session.device?.name, isWeb: true,
                    mayDrive: mayDrive(address: session.address, device: session.device), isPaused: false,
                    framesSent: session.framesSent, packetsSent: 0, bytesSent: 0, resent: 0, roundTrip: nil, loss: nil,
                    suggestedBitrate: session.suggestedBitrate))
        }
    }
}
