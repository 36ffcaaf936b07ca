package import HelioAdmission
package import HelioCore
package import HelioProtection
import HelioRTP
import HelioRTSP
import HelioSession

/// The RTSP endpoint for ordinary players as one engine: every connection, and one encoded stream for all.
///
/// Players watch and can do nothing else. What they get is plain RTP: this belongs on loopback or behind credentials
/// on a network that is trusted.
package final class PlayerHost: Engine {
    package struct Settings: Sendable {
        /// What is sent; the size may change while running.
        package var format: VideoFormat
        /// `nil` lets in whoever connects.
        package var credentials: PlayerCredentials?
        /// Added to an instant, it gives the time since 1900: what sender reports tell.
        package var clockOffset: Duration
        package var connectionLimit: Int

        package init(
            format: VideoFormat, credentials: PlayerCredentials?, clockOffset: Duration, connectionLimit: Int = 32
        ) {
            self.format = format
            self.credentials = credentials
            self.clockOffset = clockOffset
            self.connectionLimit = connectionLimit
        }
    }

    package enum Input: ConnectionInput {
        case connected(ConnectionID, address: String)
        case received(ConnectionID, [UInt8])
        case disconnected(ConnectionID)
        /// The system has taken so many bytes of what was sent to a connection.
        case written(ConnectionID, Int)
        /// A datagram on the port for reports.
        case reports([UInt8])
        case slice(EncodedSlice)
        case format(VideoFormat)
    }

    package enum Output {
        case send(ConnectionID, [UInt8])
        case close(ConnectionID)
        /// From the port for media to a port of the machine that the connection comes from.
        case media([UInt8], to: ConnectionID, port: UInt16)
        /// The same from the port for reports.
        case reports([UInt8], to: ConnectionID, port: UInt16)
        case event(Event)
    }

    package enum Event: Sendable {
        case refused(address: String, reason: String)
        case joined(address: String)
        case left(address: String, reason: String)
        /// Whether anybody plays or is about to: capture runs only while somebody does.
        case watched(Bool)
        case keyframeNeeded(reason: String)
        /// The screen rests. Players show a picture when the next one comes: it is to be coded once more, unchanged.
        case frameNeeded
    }

    package enum Drop: String, Sendable, CaseIterable, Hashable {
        case unknownReports = "unknown-reports"
        case tooManyPlayers = "too-many-players"
        /// A connection that was not let in, and asked on and on.
        case tooManyRequests = "too-many-requests"
        /// A player that took none of what it asked for.
        case unread
    }

    let crypto: any CryptoProvider
    var guesses = DigestDoor.guesses
    var random: any RandomNumberGenerator & Sendable
    /// The even one of a pair; the next one is for reports. 0: there is no UDP.
    private(set) var mediaPort: UInt16 = 0

    private let settings: Settings
    private var format: VideoFormat
    private var sets: ParameterSets?
    private var sessions = OrderedTable<ConnectionID, PlayerSession>()
    private var outputs = OutputQueue<Output>()
    private var drops = DropCounter<Drop>()
    private var refusals = DropCounter<DigestGate.Refusal>()
    private var isWatched = false
    private var demand: PictureDemand

    package init(
        _ settings: Settings, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        self.settings = settings
        self.crypto = crypto
        self.random = random
        format = settings.format
        demand = PictureDemand(now: now)
    }

    /// Tells where the driver's UDP sockets are: at this port and the next.
    package func setMediaPort(_ port: UInt16) { mediaPort = port }

    package func knows(_ connection: ConnectionID) -> Bool { sessions[connection] != nil }

    /// How far a connection that has set up nothing is; `nil` for one that has.
    package func progress(of connection: ConnectionID) -> Stranger.Progress? {
        sessions[connection].map(\.isStranger) ?? true ? .connected : nil
    }

    // MARK: Engine

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected(let id, let address): connect(id, address, now)
        case .received(let id, let bytes):
            guard let session = sessions[id] else { return }
            session.receive(bytes, host: self, now: now)
            settle(session, now)
        case .disconnected(let id):
            guard let session = sessions[id] else { return }
            session.end("connection closed", close: false, now: now)
            settle(session, now)
        case .written(let id, let count):
            sessions[id]?.wrote(count, now: now)
        case .reports(let bytes): hear(bytes, now)
        case .slice(let slice): send(slice, now)
        case .format(let new): change(new, now)
        }
        demandPictures(now)
    }

    package func tick(now: Instant) {
        for session in sessions.values {
            session.tick(host: self, now: now)
            settle(session, now)
        }
        demandPictures(now)
    }

    package func poll() -> Output? { outputs.next() }

    package var deadline: Deadline? {
        let earliest = sessions.values.reduce(nil) { Deadline.earliest($0, $1.deadline) }
        return .earliest(earliest, demand.deadline(wantsKeyframe: wantsKeyframe, isShown: isPlayed))
    }

    /// Says good-bye to every player.
    package func stop(now: Instant) {
        for session in sessions.values {
            session.end("sharing ended", close: true, now: now)
            settle(session, now)
        }
    }

    // MARK: What sessions ask of their host

    /// The stream's description as SDP; `nil` before the first keyframe.
    func description(for session: PlayerSession) -> [UInt8]? {
        sets.map { PlayerDescription.make(format, $0, id: session.id.rawValue) }
    }

    /// `nil` where there is no such way.
    func makeMedia(_ transport: PlainTransport, for session: PlayerSession) -> PlayerMedia? {
        if case .datagrams = transport, mediaPort == 0 { return nil }
        return PlayerMedia(transport, format: format, ssrc: makeSSRC(), clockOffset: settings.clockOffset)
    }

    /// Not to be guessed: 64 bits (RFC 2326 section 3.4).
    func makeSessionID() -> String { Hexadecimal.text(SecretBytes(count: 8, using: &random).bytes) }

    func count(_ refusal: DigestGate.Refusal) { refusals.count(refusal) }
    func count(_ drop: Drop) { drops.count(drop) }

    private func makeSSRC() -> SSRC {
        while true {
            let ssrc = SSRC(.random(in: 1 ... .max, using: &random))
            if !sessions.values.contains(where: { $0.media?.ssrc == ssrc }) { return ssrc }
        }
    }

    // MARK: Inside

    private func connect(_ id: ConnectionID, _ address: String, _ now: Instant) {
        if sessions.count >= settings.connectionLimit {
            drops.count(.tooManyPlayers)
            // Whoever has set up nothing makes room: connections alone can't keep a player out.
            let strangers = sessions.values.filter(\.isStranger)
            guard let oldest = strangers.min(by: { ($0.lastHeard, $0.id.rawValue) < ($1.lastHeard, $1.id.rawValue) })
            else { return outputs.append(.close(id)) }
            oldest.end(nil, close: true, now: now)
            settle(oldest, now)
        }
        sessions[id] = PlayerSession(id, address: address, credentials: settings.credentials, now: now)
    }

    private func hear(_ datagram: [UInt8], _ now: Instant) {
        guard RTCPPacket.isRTCP(datagram.span.bytes), let packets = RTCPPacket.parseCompound(datagram.span.bytes),
            sessions.values.contains(where: { $0.hear(packets, now: now) })
        else { return drops.count(.unknownReports) }
    }

    private func send(_ slice: EncodedSlice, _ now: Instant) {
        demand.heard(slice, now: now)
        if slice.isFirst, slice.isKeyframe, let new = ParameterSets(annexB: slice.annexB, codec: format.codec) {
            sets = new
            for session in sessions.values where session.waitsForStream {
                session.streamIsKnown(host: self, now: now)
                settle(session, now)
            }
        }
        for session in sessions.values where session.state == .playing {
            session.send(slice, now: now)
            settle(session, now)
        }
    }

    private func change(_ new: VideoFormat, _ now: Instant) {
        let old = format
        format = new
        // New parameter sets come with the next keyframe.
        if new.size != old.size || new.chroma != old.chroma || new.codec != old.codec { sets = nil }
        // In RTSP 1.0 nothing can tell a player of another codec: it has to ask anew.
        guard new.codec != old.codec else { return }
        for session in sessions.values where session.media != nil {
            session.end("the codec has changed", close: true, now: now)
            settle(session, now)
        }
    }

    private var isPlayed: Bool { sessions.values.contains { $0.state == .playing } }
    private var wantsKeyframe: Bool { sessions.values.contains { $0.wantsKeyframe || $0.waitsForStream } }

    /// Tells who is watching, and what the encoder should give.
    private func demandPictures(_ now: Instant) {
        let watched = sessions.values.contains { $0.state == .playing || $0.waitsForStream }
        if watched != isWatched {
            isWatched = watched
            demand.begin(now: now)
            outputs.append(.event(.watched(watched)))
        }
        if wantsKeyframe, demand.takesKeyframeDemand(now: now) {
            outputs.append(.event(.keyframeNeeded(reason: "a player needs one")))
        }
        if isPlayed, demand.takesFrameDemand(now: now) { outputs.append(.event(.frameNeeded)) }
    }

    /// Carries out what a session wants after it has been called.
    private func settle(_ session: PlayerSession, _ now: Instant) {
        // An answer to PLAY goes ahead of the stream that it announces.
        var isClosing = false
        for demand in session.takeDemands() {
            switch demand {
            case .send(let bytes): write(bytes, session, now)
            case .close: isClosing = true
            case .event(let event): outputs.append(.event(event))
            }
        }
        while let packet = session.media?.nextPacket() { put(packet, session, now) }
        session.forget()
        for demand in session.takeDemands() {
            // Writing may have been too much.
            if case .close = demand { isClosing = true }
            if case .event(let event) = demand { outputs.append(.event(event)) }
        }
        if isClosing { outputs.append(.close(session.id)) }
        if session.state == .ended { sessions[session.id] = nil }
    }

    private func put(_ packet: PlayerMedia.Packet, _ session: PlayerSession, _ now: Instant) {
        guard let transport = session.media?.transport else { return }
        switch (packet, transport) {
        case (.media(let bytes), .datagrams(let port, _)):
            outputs.append(.media(bytes, to: session.id, port: port))
        case (.reports(let bytes), .datagrams(_, let port)):
            outputs.append(.reports(bytes, to: session.id, port: port))
        case (.media(let bytes), .interleaved(let channel, _)), (.reports(let bytes), .interleaved(_, let channel)):
            write(RTSPMessage.interleaved(channel: channel, bytes).serialised(), session, now)
        }
    }

    private func write(_ bytes: [UInt8], _ session: PlayerSession, _ now: Instant) {
        if !session.willWrite(bytes.count, now: now) { drops.count(.unread) }
        outputs.append(.send(session.id, bytes))
    }

    // MARK: Statistics

    package struct Statistics: Sendable {
        package var players = 0
        /// Where they are.
        package var addresses: [String] = []
        package var framesSent = 0
        package var packetsSent = 0
        package var bytesSent = 0
        /// What was thrown away, by name.
        package var drops: [String: Int] = [:]
    }

    package var statistics: Statistics {
        var all = Statistics()
        for (name, count) in drops.named { all.drops["player-\(name)"] = count }
        for (name, count) in refusals.named { all.drops["refused-\(name)"] = count }
        for session in sessions.values {
            guard let media = session.media else { continue }
            if session.state == .playing {
                all.players += 1
                all.addresses.append(session.address)
            }
            all.framesSent += media.framesSent
            all.packetsSent += media.packetsSent
            all.bytesSent += media.bytesSent
            for (name, count) in media.drops.named { all.drops["player-\(name)", default: 0] += count }
        }
        return all
    }
}
