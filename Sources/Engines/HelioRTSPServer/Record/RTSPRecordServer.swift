package import HelioAdmission
package import HelioCore
package import HelioMedia
internal import HelioPlainRTP
package import HelioProtection
package import HelioRTP

/// The engine of an RTSP server to which other programs publish a stream (ANNOUNCE and RECORD of RFC 2326), with all
/// connections and the one published stream.
///
/// The server serves no players. The stream is unencrypted RTP, so the server should only be used on loopback, or with
/// credentials on a trusted network.
package final class RTSPRecordServer: DropCounting, RTSPServerEngine {
    package struct Settings: Sendable {
        /// The credentials; `nil` admits every connection.
        package var credentials: ServerCredentials?
        package var connectionLimit: Int

        package init(credentials: ServerCredentials?, connectionLimit: Int = 16) {
            self.credentials = credentials
            self.connectionLimit = connectionLimit
        }
    }

    package enum Input: RTSPServerInput {
        case connected(ConnectionID, address: String)
        case received(ConnectionID, [UInt8])
        case disconnected(ConnectionID)
        /// The number of bytes of a connection that the kernel has newly accepted.
        case written(ConnectionID, Int)
        /// A datagram from the address and ports in a `.listen`.
        case datagram([UInt8], RTPChannel, PlainTrack = .video)
        /// A datagram longer than the driver's limit.
        case truncatedDatagram
        /// The decoder needs a keyframe. It is requested if the publisher supports that.
        case keyframeNeeded

        package static func datagram(
            _ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack?, isWhole: Bool
        ) -> Self? { track.map { isWhole ? .datagram(bytes, channel, $0) : .truncatedDatagram } }
    }

    package enum Event: Sendable, ServerEvent {
        /// A publisher's first packet has arrived. The size is 0 by 0 if the publisher's SDP does not contain it.
        case playing(VideoFormat, address: String, isInterleaved: Bool)
        case frame(ReceivedFrame)
        /// The format of the following sound; `configuration` is the `AudioSpecificConfig` of AAC.
        case soundFormat(SoundCodec, SoundFormat, configuration: [UInt8])
        case sound(ReceivedSound)
        /// The mapping of sound timestamps to the clock of the frames' `sourceTiming`.
        case soundClock(SoundClock)
        /// The publisher's sound can't be played. `reason` is text for the user, without a capital letter or full stop.
        case noSound(reason: String)
        /// The publisher reported by `playing` has left; another client may publish.
        case left(address: String, reason: String)
        /// A client's attempt to publish was refused.
        case refused(address: String, reason: String)
    }

    let server: ServerState
    /// The index of the next frame, counted over all publishers.
    var nextFrame: UInt64 = 0
    /// The session that has announced a stream; `nil` if there is none.
    private(set) var publisher: RecordSession?
    private let sessions: ServerSessions<RecordSession>

    package init(
        _ settings: Settings, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable
    ) {
        server = ServerState(of: "recording", credentials: settings.credentials, crypto: crypto, random: random)
        sessions = ServerSessions(server, limit: settings.connectionLimit)
    }

    package func setMediaPort(_ port: UInt16) { server.mediaPort = port }
    package func knows(_ connection: ConnectionID) -> Bool { sessions.knows(connection) }
    package func progress(of connection: ConnectionID) -> Stranger.Progress? { sessions.progress(of: connection) }

    // MARK: Engine

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected(let id, let address):
            sessions.connect(id, now: now) { RecordSession(id, address: address, host: self, now: now) }
        case .received(let id, let bytes): sessions.handle(bytes, on: id, now: now)
        case .disconnected(let id): sessions.disconnect(id, "closed the connection", now: now)
        case .written(let id, let count): sessions.wrote(count, on: id, now: now)
        case .datagram(let bytes, let channel, let track):
            guard let publisher, publisher.handle(bytes, channel, track, now: now) else {
                return server.drops.count(.foreignMedia)
            }
            sessions.settle(publisher, now: now)
        case .truncatedDatagram: server.drops.count(.truncated)
        case .keyframeNeeded:
            if let publisher { sessions.call([publisher], now: now) { $0.waitForKeyframe(now: now) } }
        }
    }

    package func tick(now: Instant) { sessions.tick(now: now) }
    package func poll() -> RTSPServerOutput<Event>? { sessions.poll() }
    package var deadline: Deadline? { sessions.deadline }
    package func stop(now: Instant) { sessions.stop("this end was closed", now: now) }

    // MARK: Interface for sessions

    /// Makes a session the publisher. Returns false if another session is the publisher, as only one may publish at a
    /// time.
    func admits(_ session: RecordSession) -> Bool {
        guard publisher == nil || publisher === session else { return false }
        publisher = session
        return true
    }

    func release(_ session: RecordSession) {
        if publisher === session { publisher = nil }
    }

    func makeMedia(_ description: PlainDescription, _ sound: PlainSound?, now: Instant) -> PlainSink {
        PlainSink(
            description.format, ssrc: SSRC(.random(in: 1 ... .max, using: &server.random)), sound: sound,
            patience: RecordSession.rules.timeout, firstFrame: nextFrame, now: now)
    }

    // MARK: Statistics

    /// The statistics of the present publisher, with the server's drops.
    package var statistics: SinkStatistics {
        var statistics = publisher?.statistics ?? SinkStatistics()
        statistics.drops = allDrops
        return statistics
    }

    package var allDrops: [String: Int] { .sum(publisher, server) }
}
