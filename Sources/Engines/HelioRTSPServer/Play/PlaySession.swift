import HelioAdmission
import HelioCore
import HelioPlainRTP
import HelioRTP
import HelioRTSP

/// The session of one player of an `RTSPPlayServer`: RTSP 1.0 (RFC 2326), and the stream while it plays.
///
///               SETUP           PLAY
///     initial ---------> ready ------> playing
///        ^ \_______________/ ^-- PAUSE --/
///        |     TEARDOWN                 /
///        \-----------------------------/          silence, error, closed connection: ended, from anywhere
///
/// A request in a wrong state is answered with 455 and changes nothing (requirement row 26). DESCRIBE needs the
/// stream's parameter sets: before the first keyframe it waits for them, and so do the requests after it.
final class PlaySession: DropCounting, ServerSession {
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
    private(set) var sound: PlainSoundSource?
    /// The transports of the tracks that are set up.
    private var transports: [PlainTrack: PlainTransport] = [:]

    private unowned let host: RTSPPlayServer
    /// The DESCRIBE that waits for the parameter sets, and its time limit.
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

    /// The idle timeout in the current state.
    private var patience: Duration { state == .initial ? Self.idleTime : Self.rules.timeout }

    var deadline: Deadline? {
        guard !hasEnded else { return nil }
        let silence = Deadline(
            at: connection.lastHeard + patience, why: state == .initial ? "idle connection" : "player vanished")
        let waits = waiting.map { Deadline(at: $0.until, why: "no keyframe for DESCRIBE") }
        return .earliest(
            .earliest(silence, connection.admission?.deadline),
            .earliest(.earliest(media?.deadline, sound?.deadline), waits))
    }

    func tick(now: Instant) {
        if let waiting, now >= waiting.until {
            self.waiting = nil
            connection.respond(.serviceUnavailable, to: waiting.request, ["Retry-After": "5"])
            proceed(now: now)
        }
        resume(now: now)
        media?.tick(now: now)
        sound?.tick(now: now)
        if waiting == nil, now - connection.lastHeard >= patience {
            end("vanished: silent for \(patience.components.seconds) s", closes: true, now: now)
        }
    }

    // MARK: Receiving

    /// Handles RTCP reports received in a datagram.
    ///
    /// - Returns: true if they concern a stream of this session.
    func handle(_ reports: [RTCPPacket], now: Instant) -> Bool {
        let isOfSound = sound?.handle(reports) ?? false
        guard media?.handle(reports, now: now) ?? false || isOfSound else { return false }
        connection.lastHeard = now
        return true
    }

    func handle(_ packet: [UInt8], channel: UInt8, now: Instant) {
        guard transports.values.contains(where: { $0.channel(channel) == .rtcp }) else { return }
        guard RTCPPacket.isRTCP(packet.span.bytes), let packets = RTCPPacket.parseCompound(packet.span.bytes) else {
            media?.countMalformedReports()
            sound?.countMalformedReports()
            return
        }
        // Any report shows that the player is alive, even one that matches no stream, as before the first packet.
        connection.lastHeard = now
        _ = handle(packets, now: now)
    }

    func countStrayResponse() {}

    /// Answers the waiting DESCRIBE, as the parameter sets are now known.
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

    /// Answers SETUP. The URI of the stream sets up the video, like the URI of the video track.
    private func setUp(_ request: RTSPRequest) {
        guard state != .playing else { return connection.respond(.invalidState, to: request) }
        var track = PlainTrack.video
        if case .track(let named)? = PlayResource(uri: request.uri) { track = named }
        guard track == .video || host.soundEncode != nil else { return connection.respond(.notFound, to: request) }
        guard let offers = request.headers["Transport"].flatMap(TransportHeader.list) else {
            return connection.respond(.badRequest, to: request)
        }
        let chosen = PlainTransport.choose(offers, for: .play, freeChannel: track == .video ? 0 : 2)
        guard case (let transport, var reply)? = chosen,
            !transports.contains(where: { $0.key != track && $0.value.overlaps(transport) })
        else { return connection.respond(.unsupportedTransport, to: request) }
        if case .datagrams = transport {
            guard let ports = server.ports else { return connection.respond(.notEnoughBandwidth, to: request) }
            reply.serverPorts = ports
        }
        switch track {
        case .video:
            let media = host.makeMedia(transport)
            self.media = media
            reply.ssrc = media.ssrc
        case .sound:
            sound = host.makeSound()
            reply.ssrc = sound?.ssrc
        }
        transports[track] = transport
        state = .ready
        connection.beginSession(server)
        connection.respond(.ok, to: request, ["Transport": reply.value, "Session": connection.sessionHeader])
    }

    private func play(_ request: RTSPRequest, now: Instant) {
        guard state != .initial else { return connection.respond(.invalidState, to: request) }
        let isNew = state == .ready
        state = .playing
        let positions = [
            media.map { (PlainTrack.video, $0.position(now: now)) },
            sound.map { (PlainTrack.sound, $0.position(now: now)) },
        ]
        let info = positions.compactMap { $0 }.map { track, position in
            let uri = PlayResource.uri(of: track, for: request.uri)
            return "url=\(uri);seq=\(position.sequence);rtptime=\(position.timestamp)"
        }
        // Queue the response before the media, which `flush` sends.
        connection.respond(
            .ok, to: request,
            [
                "Session": connection.sessionHeader, "Range": "npt=now-",
                "RTP-Info": info.joined(separator: ","),
            ])
        media?.play(now: now)
        media?.tick(now: now)
        sound?.play(now: now)
        if isNew { connection.emit(.joined(address: connection.address)) }
    }

    private func pause(_ request: RTSPRequest) {
        guard state != .initial else { return connection.respond(.invalidState, to: request) }
        if state == .playing { leave("paused") }
        state = .ready
        media?.pause()
        sound?.pause()
        connection.respond(.ok, to: request, ["Session": connection.sessionHeader])
    }

    private func tearDown(_ request: RTSPRequest, now: Instant) {
        guard state != .initial else { return connection.respond(.invalidState, to: request) }
        if state == .playing {
            sayGoodbye(now)
            leave("left")
        }
        connection.respond(.ok, to: request)
        // `flush` sends the last reports, and then discards the media.
        state = .initial
        connection.endSession()
    }

    // MARK: Sending

    func send(_ slice: EncodedSlice, now: Instant) { media?.send(slice, unsent: connection.unsent.count, now: now) }

    func send(_ packet: EncodedSound, now: Instant) { sound?.send(packet, unsent: connection.unsent.count, now: now) }

    /// True while the player receives video.
    var isWatching: Bool { state == .playing && media != nil }

    var wantsKeyframe: Bool {
        waiting != nil || state == .playing && media?.wantsKeyframe(unsent: connection.unsent.count) ?? false
    }

    func flush(now: Instant) {
        while let packet = media?.pollPacket() { send(packet, .video) }
        while let packet = sound?.pollPacket() { send(packet, .sound) }
        guard state == .initial else { return }
        media = nil
        sound = nil
        transports = [:]
    }

    private func send(_ packet: PlainSource.Packet, _ track: PlainTrack) {
        guard let transport = transports[track] else { return }
        switch packet {
        case .media(let bytes): connection.send(bytes, .rtp, by: transport)
        case .reports(let bytes): connection.send(bytes, .rtcp, by: transport)
        }
    }

    private func sayGoodbye(_ now: Instant) {
        media?.sayGoodbye(now: now)
        sound?.sayGoodbye(now: now)
    }

    private func leave(_ reason: String) { connection.emit(.left(address: connection.address, reason: reason)) }

    func end(_ reason: String?, closes: Bool, now: Instant) {
        guard !hasEnded else { return }
        if state == .playing {
            if closes { sayGoodbye(now) }
            if let reason { leave(reason) }
        }
        state = .ended
        waiting = nil
        if closes { connection.close() }
    }

    var allDrops: [String: Int] { .sum(media, sound) }
}
