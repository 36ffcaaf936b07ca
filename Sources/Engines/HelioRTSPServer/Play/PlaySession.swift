import HelioAdmission
import HelioCore
import HelioMedia
import HelioRTP
import HelioRTSP

/// One connection of a player: RTSP 1.0 (RFC 2326) and, once it plays, its stream. Owned by `RTSPPlayServer`.
///
///               SETUP           PLAY
///     initial ---------> ready ------> playing
///        ^ \_______________/ ^-- PAUSE --/
///        |     TEARDOWN                 /
///        \-----------------------------/          silence, error, closed connection: ended, from anywhere
///
/// A request that is out of order is answered with 455 and changes nothing (row 26). DESCRIBE needs the stream's
/// parameter sets; before the first keyframe it waits for them, and what comes behind it waits too.
final class PlaySession: ServerSession {
    enum State: Sendable, Equatable {
        case initial
        case ready
        case playing
        case ended
    }

    static let rules = ServerRules(
        methods: [.options, .describe, .setup, .play, .pause, .teardown, .getParameter, .setParameter],
        refusedMethods: [.announce, .record, RTSPMethod(rawValue: "REDIRECT")], timeout: .seconds(60),
        mostUnsent: 8 << 20, unreadReason: "does not read", mostWaiting: 256 * 1024,
        bodyTooLarge: .badRequest, full: .tooManyPlayers)
    /// The idle timeout of a connection without a session.
    private static let idleTime = Duration.seconds(20)
    private static let describeTime = Duration.seconds(5)

    let connection: ServerConnection<RTSPPlayServer.Event>
    private(set) var state = State.initial
    private(set) var media: PlainSource?
    /// The transport of the stream to the player.
    private var transport: PlainTransport?

    private unowned let host: RTSPPlayServer
    /// A DESCRIBE that waits for the parameter sets, and its time limit.
    private var waiting: (request: RTSPRequest, until: Instant)?

    init(_ id: ConnectionID, address: String, host: RTSPPlayServer, now: Instant) {
        self.host = host
        connection = ServerConnection(
            id, address: address, rules: Self.rules, credentials: host.server.credentials, now: now)
    }

    var server: ServerState { host.server }
    var hasEnded: Bool { state == .ended }
    var isStranger: Bool { state == .initial && waiting == nil }
    var keepsRequest: Bool { waiting != nil }

    // MARK: Time

    /// The idle timeout in the present state.
    private var patience: Duration { state == .initial ? Self.idleTime : Self.rules.timeout }

    var deadline: Deadline? {
        guard !hasEnded else { return nil }
        let silence = Deadline(
            at: connection.lastHeard + patience, why: state == .initial ? "idle connection" : "player vanished")
        let waits = waiting.map { Deadline(at: $0.until, why: "no keyframe for DESCRIBE") }
        return .earliest(.earliest(silence, connection.admission?.deadline), .earliest(media?.deadline, waits))
    }

    func tick(now: Instant) {
        if let waiting, now >= waiting.until {
            self.waiting = nil
            connection.respond(.serviceUnavailable, to: waiting.request, ["Retry-After": "5"])
            proceed(now: now)
        }
        resume(now: now)
        media?.tick(now: now)
        if waiting == nil, now - connection.lastHeard >= patience {
            end("vanished: silent for \(patience.components.seconds) s", closes: true, now: now)
        }
    }

    // MARK: In

    /// Takes reports that came as a datagram.
    ///
    /// - Returns: true where they are on this stream.
    func handle(_ reports: [RTCPPacket], now: Instant) -> Bool {
        guard let media, media.handle(reports, now: now) else { return false }
        connection.lastHeard = now
        return true
    }

    func handle(_ packet: [UInt8], channel: UInt8, now: Instant) {
        guard let media, transport?.channel(channel) == .rtcp else { return }
        guard RTCPPacket.isRTCP(packet.span.bytes), let packets = RTCPPacket.parseCompound(packet.span.bytes) else {
            return media.countMalformedReports()
        }
        // Its own connection says whose they are; a report before the first packet names no stream.
        connection.lastHeard = now
        _ = media.handle(packets, now: now)
    }

    func countStrayResponse() {}

    /// Answers the DESCRIBE that waited for the parameter sets.
    func streamIsKnown(now: Instant) {
        guard let waiting else { return }
        self.waiting = nil
        describe(waiting.request, now: now)
        proceed(now: now)
    }

    func serve(_ request: RTSPRequest, now: Instant) {
        guard isAdmitted(request, now: now, isOwn: { PlayResource(uri: $0) != nil }), isSupported(request) else {
            return
        }
        guard PlayResource(uri: request.uri) != nil else { return connection.respond(.notFound, to: request) }
        guard connection.isOfSession(request) else { return connection.respond(.sessionNotFound, to: request) }
        switch request.method {
        case .describe: describe(request, now: now)
        case .setup: setUp(request)
        case .play: play(request, now: now)
        case .pause: pause(request)
        case .teardown: tearDown(request, now: now)
        default: connection.respondToParameters(request)
        }
    }

    // MARK: Methods

    private func describe(_ request: RTSPRequest, now: Instant) {
        guard PlayResource(uri: request.uri) == .stream else { return connection.respond(.notFound, to: request) }
        if let accept = request.headers["Accept"]?.lowercased(),
            !["application/sdp", "application/*", "*/*"].contains(where: { accept.contains($0) })
        {
            return connection.respond(.notAcceptable, to: request)
        }
        guard let description = host.description(id: connection.id) else {
            waiting = (request, now + Self.describeTime)
            return
        }
        connection.respond(
            .ok, to: request,
            ["Content-Type": "application/sdp", "Content-Base": PlayResource.base(of: request.uri)],
            body: description)
    }

    /// Answers SETUP. There is one track, so it may be set up by the stream's name too.
    private func setUp(_ request: RTSPRequest) {
        guard state != .playing else { return connection.respond(.invalidState, to: request) }
        guard let offers = request.headers["Transport"].flatMap(TransportHeader.list) else {
            return connection.respond(.badRequest, to: request)
        }
        guard case (let transport, var reply)? = PlainTransport.choose(offers, for: .play) else {
            return connection.respond(.unsupportedTransport, to: request)
        }
        if case .datagrams = transport {
            guard let ports = server.ports else { return connection.respond(.notEnoughBandwidth, to: request) }
            reply.serverPorts = ports
        }
        let media = host.makeMedia(transport)
        self.media = media
        self.transport = transport
        state = .ready
        connection.beginSession(server)
        reply.ssrc = media.ssrc
        connection.respond(.ok, to: request, ["Transport": reply.value, "Session": connection.sessionHeader])
    }

    private func play(_ request: RTSPRequest, now: Instant) {
        guard state != .initial, let media else { return connection.respond(.invalidState, to: request) }
        let isNew = state == .ready
        state = .playing
        let (sequence, timestamp) = media.position(now: now)
        let track = PlayResource.track(of: request.uri)
        // The answer goes ahead of the stream that it announces: that comes with `flush`.
        connection.respond(
            .ok, to: request,
            [
                "Session": connection.sessionHeader, "Range": "npt=now-",
                "RTP-Info": "url=\(track);seq=\(sequence);rtptime=\(timestamp)",
            ])
        media.play(now: now)
        media.tick(now: now)
        if isNew { connection.emit(.joined(address: connection.address)) }
    }

    private func pause(_ request: RTSPRequest) {
        guard state != .initial else { return connection.respond(.invalidState, to: request) }
        if state == .playing { leave("paused") }
        state = .ready
        media?.pause()
        connection.respond(.ok, to: request, ["Session": connection.sessionHeader])
    }

    private func tearDown(_ request: RTSPRequest, now: Instant) {
        guard state != .initial else { return connection.respond(.invalidState, to: request) }
        if state == .playing {
            media?.sayGoodbye(now: now)
            leave("left")
        }
        connection.respond(.ok, to: request)
        // The last reports still have to go out, by `flush`.
        state = .initial
        connection.endSession()
    }

    // MARK: Out

    func send(_ slice: EncodedSlice, now: Instant) { media?.send(slice, unsent: connection.unsent.count, now: now) }

    var wantsKeyframe: Bool {
        waiting != nil || state == .playing && media?.wantsKeyframe(unsent: connection.unsent.count) ?? false
    }

    func flush(now: Instant) {
        guard let media, let transport else { return }
        while let packet = media.pollPacket() {
            switch packet {
            case .media(let bytes): connection.send(bytes, .rtp, by: transport)
            case .reports(let bytes): connection.send(bytes, .rtcp, by: transport)
            }
        }
        if state == .initial { self.media = nil }
    }

    private func leave(_ reason: String) { connection.emit(.left(address: connection.address, reason: reason)) }

    func end(_ reason: String?, closes: Bool, now: Instant) {
        guard !hasEnded else { return }
        if state == .playing {
            if closes { media?.sayGoodbye(now: now) }
            if let reason { leave(reason) }
        }
        state = .ended
        waiting = nil
        if closes { connection.close() }
    }
}
