package import HelioAdmission
package import HelioCore
package import HelioProtection
package import HelioRTSP
package import HelioSession

/// An RTSP server that other programs publish to (RFC 2326's ANNOUNCE and RECORD), as one engine: every connection,
/// and the one stream that is shown.
///
/// Nobody gets anything from here. What comes is plain RTP: this belongs on loopback, or behind credentials on a
/// network that is trusted.
package final class RecordingHost: Engine {
    package struct Settings: Sendable {
        /// `nil` lets in whoever connects.
        package var credentials: PlayerCredentials?
        package var connectionLimit: Int

        package init(credentials: PlayerCredentials?, connectionLimit: Int = 16) {
            self.credentials = credentials
            self.connectionLimit = connectionLimit
        }
    }

    package enum Input: Sendable, ConnectionInput {
        case connected(ConnectionID, address: String)
        case received(ConnectionID, [UInt8])
        case disconnected(ConnectionID)
        /// The system has taken so many bytes of what was sent to a connection.
        case written(ConnectionID, Int)
        /// From the machine and the ports that `.aim` named.
        case datagram([UInt8], RTPChannel)
        /// One that was longer than the driver takes.
        case truncatedDatagram
        /// The decoder can't go on without one: asked for where the publisher takes such requests.
        case keyframeNeeded
    }

    package enum Output: Sendable {
        case send(ConnectionID, [UInt8])
        case close(ConnectionID)
        /// Send to and hear from these ports of the connection's machine alone.
        case aim(ConnectionID, rtp: UInt16, rtcp: UInt16)
        /// Hear nobody any more.
        case turnAway
        case datagram([UInt8], RTPChannel)
        case event(Event)
    }

    package enum Event: Sendable {
        /// A publisher's first packet is there. The size is 0 by 0 where it does not tell it.
        case playing(VideoFormat, address: String, isInterleaved: Bool)
        case frame(ReceivedFrame)
        /// After `playing`: the next publisher may come.
        case left(address: String, reason: String)
        /// Somebody wanted to publish and could not.
        case refused(address: String, reason: String)
    }

    package enum Drop: String, Sendable, CaseIterable, Hashable {
        case tooManyConnections = "too-many-connections"
        /// A connection that was not let in, and asked on and on.
        case tooManyRequests = "too-many-requests"
        /// A publisher that took none of its answers.
        case unread
        /// Media of nobody who publishes.
        case foreignMedia = "foreign-media"
        case truncated
    }

    let crypto: any CryptoProvider
    var guesses = DigestDoor.guesses
    var random: any RandomNumberGenerator & Sendable
    /// The even one of a pair; the next one is for reports. 0: there is no UDP.
    private(set) var mediaPort: UInt16 = 0
    /// What the next frame is called, whoever's it is.
    var nextFrame: UInt64 = 0

    private let settings: Settings
    private var sessions = OrderedTable<ConnectionID, RecordingSession>()
    private var publisher: RecordingSession?
    private var outputs = OutputQueue<Output>()
    private var drops = DropCounter<Drop>()
    private var refusals = DropCounter<DigestGate.Refusal>()

    package init(
        _ settings: Settings, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable
    ) {
        self.settings = settings
        self.crypto = crypto
        self.random = random
    }

    /// Tells where the driver's UDP sockets are: at this port and the next.
    package func setMediaPort(_ port: UInt16) { mediaPort = port }

    package func knows(_ connection: ConnectionID) -> Bool { sessions[connection] != nil }

    /// How far a connection that does not publish is; `nil` for the one that does.
    package func progress(of connection: ConnectionID) -> Stranger.Progress? {
        publisher?.id == connection ? nil : .connected
    }

    // MARK: Engine

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected(let id, let address): connect(id, address, now)
        case .received(let id, let bytes): call(id) { $0.receive(bytes, host: self, now: now) }
        case .disconnected(let id): call(id) { $0.end("closed the connection", closes: false, now: now) }
        case .written(let id, let count): sessions[id]?.wrote(count, now: now)
        case .datagram(let bytes, let channel):
            guard let publisher, publisher.hear(bytes, channel, now: now) else { return drops.count(.foreignMedia) }
            settle(publisher)
        case .truncatedDatagram: drops.count(.truncated)
        case .keyframeNeeded:
            guard let publisher else { return }
            publisher.waitForKeyframe(now: now)
            settle(publisher)
        }
    }

    package func tick(now: Instant) {
        for session in sessions.values {
            session.tick(host: self, now: now)
            settle(session)
        }
    }

    package func poll() -> Output? { outputs.next() }

    package var deadline: Deadline? { sessions.values.reduce(nil) { Deadline.earliest($0, $1.deadline) } }

    /// Closes every connection, in good order where that is possible.
    package func stop(now: Instant) {
        for session in sessions.values {
            session.end("this end was closed", closes: true, now: now)
            settle(session)
        }
    }

    // MARK: What sessions ask of their host

    /// One publishes at a time.
    func admits(_ session: RecordingSession) -> Bool {
        guard publisher == nil || publisher === session else { return false }
        publisher = session
        return true
    }

    func release(_ session: RecordingSession) {
        if publisher === session { publisher = nil }
    }

    /// Not to be guessed: 64 bits (RFC 2326 section 3.4).
    func makeSessionID() -> String { Hexadecimal.text(SecretBytes(count: 8, using: &random).bytes) }

    func makeMedia(_ description: ForeignDescription, now: Instant) -> ForeignMedia {
        ForeignMedia(
            description, ssrc: SSRC(.random(in: 1 ... .max, using: &random)), patience: RecordingSession.timeout,
            firstFrame: nextFrame, now: now)
    }

    func count(_ refusal: DigestGate.Refusal) { refusals.count(refusal) }
    func count(_ drop: Drop) { drops.count(drop) }

    // MARK: Inside

    private func connect(_ id: ConnectionID, _ address: String, _ now: Instant) {
        if sessions.count >= settings.connectionLimit {
            drops.count(.tooManyConnections)
            // Whoever has announced nothing makes room: connections alone can't keep a publisher out.
            let strangers = sessions.values.filter { $0 !== publisher }
            guard let oldest = strangers.min(by: { ($0.lastHeard, $0.id.rawValue) < ($1.lastHeard, $1.id.rawValue) })
            else { return outputs.append(.close(id)) }
            oldest.end(nil, closes: true, now: now)
            settle(oldest)
        }
        sessions[id] = RecordingSession(id, address: address, credentials: settings.credentials, now: now)
    }

    private func call(_ id: ConnectionID, _ body: (RecordingSession) -> Void) {
        guard let session = sessions[id] else { return }
        body(session)
        settle(session)
    }

    /// Carries out what a session wants after it has been called.
    private func settle(_ session: RecordingSession) {
        for output in session.takeOutputs() {
            if case .event(.frame(let frame)) = output { nextFrame = frame.frameIndex + 1 }
            outputs.append(output)
        }
        if session.state == .ended {
            release(session)
            sessions[session.id] = nil
        }
    }

    // MARK: Statistics

    /// Of whoever publishes.
    package var statistics: SinkSession.Statistics {
        var statistics = SinkSession.Statistics()
        publisher?.add(to: &statistics)
        for (name, count) in drops.named { statistics.drops["recording-\(name)"] = count }
        for (name, count) in refusals.named { statistics.drops["refused-\(name)"] = count }
        return statistics
    }
}
