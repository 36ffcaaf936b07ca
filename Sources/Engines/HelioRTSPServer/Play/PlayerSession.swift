import HelioAdmission
import HelioCore
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioSession

/// One ordinary player's connection: RTSP 1.0 (RFC 2326) and, once it plays, its stream. Owned by `PlayerHost`.
///
///               SETUP           PLAY
///     initial ---------> ready ------> playing
///        ^ \_______________/ ^-- PAUSE --/
///        |     TEARDOWN                 /
///        \-----------------------------/          silence, error, closed connection: ended, from anywhere
///
/// What comes out of order is answered with 455 and changes nothing (row 26). DESCRIBE needs the stream's parameter
/// sets; before the first keyframe it waits for them, and what comes behind it waits too.
final class PlayerSession {
    enum State: Sendable, Equatable {
        case initial
        case ready
        case playing
        case ended
    }

    /// What a session wants its host to do.
    enum Demand {
        case send([UInt8])
        case close
        case event(PlayerHost.Event)
    }

    let id: ConnectionID
    let address: String
    private(set) var state = State.initial
    private(set) var media: PlayerMedia?
    /// Bytes on the connection that the system has not taken yet.
    private(set) var unsent = UnsentBytes(most: 8 << 20)
    private(set) var lastHeard: Instant

    private var parser = RTSPParser()
    private var door: DigestDoor?
    private var sessionID: String?
    /// A DESCRIBE that waits for the parameter sets, and until when.
    private var waiting: (request: RTSPRequest, until: Instant)?
    private var demands: [Demand] = []

    /// Silence after which a session ends; told in `Session`.
    static let timeout = Duration.seconds(60)
    /// A connection without a session is closed after so much silence.
    static let idleTime = Duration.seconds(20)
    static let describeTime = Duration.seconds(5)
    /// What a player may send behind a DESCRIBE that waits.
    private static let mostWaiting = 256 * 1024

    /// In the order in which RFC 2326 has them.
    static let methods: [RTSPMethod] = [
        .options, .describe, .setup, .play, .pause, .teardown, .getParameter, .setParameter,
    ]
    private static let methodList = methods.map(\.rawValue).joined(separator: ", ")
    /// Known, but nothing here can be recorded or announced.
    private static let refusedMethods: [RTSPMethod] = [.announce, .record, RTSPMethod(rawValue: "REDIRECT")]

    init(_ id: ConnectionID, address: String, credentials: PlayerCredentials?, now: Instant) {
        self.id = id
        self.address = address
        door = credentials.map { DigestDoor($0) }
        lastHeard = now
    }

    func takeDemands() -> [Demand] {
        defer { demands.removeAll(keepingCapacity: true) }
        return demands
    }

    /// Nobody is let in yet, nothing is promised.
    var isStranger: Bool { state == .initial && waiting == nil }
    var waitsForStream: Bool { waiting != nil }

    // MARK: Time

    var deadline: Deadline? {
        switch state {
        case .ended: nil
        case .initial:
            Deadline.earliest(
                Deadline.earliest(Deadline(at: lastHeard + Self.idleTime, why: "idle connection"), door?.deadline),
                waiting.map { Deadline(at: $0.until, why: "no keyframe for DESCRIBE") })
        case .ready, .playing:
            Deadline.earliest(
                Deadline(at: lastHeard + Self.timeout, why: "player vanished"),
                Deadline.earliest(
                    media?.deadline, waiting.map { Deadline(at: $0.until, why: "no keyframe for DESCRIBE") }))
        }
    }

    func tick(host: PlayerHost, now: Instant) {
        if let waiting, now >= waiting.until {
            self.waiting = nil
            respond(.serviceUnavailable, to: waiting.request, ["Retry-After": "5"])
            proceed(host: host, now: now)
        }
        if let request = door?.due(now: now) {
            serve(request, host: host, now: now)
            proceed(host: host, now: now)
        }
        media?.tick(now: now)
        let patience = state == .initial ? Self.idleTime : Self.timeout
        if state != .ended, waiting == nil, now - lastHeard >= patience {
            end("vanished: silent for \(patience.components.seconds) s", close: true, now: now)
        }
    }

    // MARK: In

    func receive(_ bytes: [UInt8], host: PlayerHost, now: Instant) {
        guard state != .ended else { return }
        parser.append(bytes)
        proceed(host: host, now: now)
    }

    /// Reports that came as a datagram, or on a channel of the connection.
    ///
    /// - Returns: whether they are this player's.
    func hear(_ reports: [RTCPPacket], now: Instant) -> Bool {
        guard let media, media.hear(reports, now: now) else { return false }
        lastHeard = now
        return true
    }

    /// The system has taken so many bytes of the connection.
    func wrote(_ count: Int, now: Instant) { unsent.taken(count, now: now) }

    /// Counts bytes that are on their way to the connection. Ends a player that takes none, and says so by `false`.
    func willWrite(_ count: Int, now: Instant) -> Bool {
        unsent.write(count, now: now)
        guard unsent.isTooMuch, state != .ended else { return true }
        end("does not read", close: true, now: now)
        return false
    }

    /// Answers what waited for the parameter sets.
    func streamIsKnown(host: PlayerHost, now: Instant) {
        guard let waiting else { return }
        self.waiting = nil
        describe(waiting.request, host: host, now: now)
        proceed(host: host, now: now)
    }

    func send(_ slice: EncodedSlice, now: Instant) {
        guard state == .playing else { return }
        media?.send(slice, unsent: unsent.count, now: now)
    }

    var wantsKeyframe: Bool { state == .playing && media?.wantsKeyframe(unsent: unsent.count) ?? false }

    /// What comes is not read, as an answer is to come first.
    private var isWaiting: Bool { waiting != nil || door?.isWaiting ?? false }

    private func proceed(host: PlayerHost, now: Instant) {
        do {
            while state != .ended, !isWaiting, let message = try parser.next() {
                switch message {
                case .request(let request): take(request, host: host, now: now)
                case .interleaved(let channel, let data): take(data, channel: channel, now: now)
                // Nothing was asked.
                case .response: break
                }
            }
        } catch {
            respond(error == .unsupportedVersion ? .versionNotSupported : .badRequest, to: nil)
            return end("broke the protocol: \(error)", close: true, now: now)
        }
        if parser.bufferedByteCount > Self.mostWaiting { end("sent too much at once", close: true, now: now) }
    }

    private func take(_ data: [UInt8], channel: UInt8, now: Instant) {
        guard let media, case .interleaved(_, channel) = media.transport else { return }
        guard RTCPPacket.isRTCP(data.span.bytes), let packets = RTCPPacket.parseCompound(data.span.bytes) else {
            return media.countMalformedReports()
        }
        // Its own connection says whose they are; a report before the first packet names no stream.
        lastHeard = now
        _ = media.hear(packets, now: now)
    }

    private func take(_ request: RTSPRequest, host: PlayerHost, now: Instant) {
        lastHeard = now
        guard door?.takes() ?? true else {
            host.count(.tooManyRequests)
            return end(nil, close: true, now: now)
        }
        guard request.headers.sequence != nil else { return respond(.badRequest, to: request) }
        if request.method == .options { return respond(.ok, to: request, ["Public": Self.methodList]) }
        if Self.refusedMethods.contains(request.method) {
            return respond(.methodNotAllowed, to: request, ["Allow": Self.methodList])
        }
        guard Self.methods.contains(request.method) else {
            return respond(.notImplemented, to: request, ["Allow": Self.methodList])
        }
        serve(request, host: host, now: now)
    }

    /// A request of those in `methods`, to be answered by who may have it.
    private func serve(_ request: RTSPRequest, host: PlayerHost, now: Instant) {
        guard isAdmitted(request, host: host, now: now) else { return }
        if let feature = request.headers["Require"] ?? request.headers["Proxy-Require"] {
            return respond(.optionNotSupported, to: request, ["Unsupported": feature])
        }
        guard let resource = PlayerResource(uri: request.uri) else { return respond(.notFound, to: request) }
        if let named = request.headers["Session"] {
            guard let sessionID, RTSPSessionHeader(named)?.id == sessionID else {
                return respond(.sessionNotFound, to: request)
            }
        }
        switch request.method {
        case .describe: describe(request, host: host, now: now)
        case .setup: setUp(request, resource, host: host, now: now)
        case .play: play(request, now: now)
        case .pause: pause(request)
        case .teardown: tearDown(request, now: now)
        default: parameters(request)
        }
    }

    // MARK: Who is let in

    private func isAdmitted(_ request: RTSPRequest, host: PlayerHost, now: Instant) -> Bool {
        let verdict = door?.judge(
            request, from: address, isOwn: { PlayerResource(uri: $0) != nil }, guesses: &host.guesses,
            random: &host.random, crypto: host.crypto, now: now, count: { host.count($0) })
        if case .later = verdict { return false }
        guard case .refused(let status, let headers, let reason, let closes) = verdict else { return true }
        respond(status, to: request, headers)
        if let reason { demands.append(.event(.refused(address: address, reason: reason))) }
        if closes { end(nil, close: true, now: now) }
        return false
    }

    // MARK: Methods

    private func describe(_ request: RTSPRequest, host: PlayerHost, now: Instant) {
        guard PlayerResource(uri: request.uri) == .stream else { return respond(.notFound, to: request) }
        if let accept = request.headers["Accept"]?.lowercased(),
            !["application/sdp", "application/*", "*/*"].contains(where: { accept.contains($0) })
        {
            return respond(.notAcceptable, to: request)
        }
        guard let description = host.description(for: self) else {
            waiting = (request, now + Self.describeTime)
            return
        }
        respond(
            .ok, to: request,
            ["Content-Type": "application/sdp", "Content-Base": PlayerResource.base(of: request.uri)],
            body: description)
    }

    private func setUp(_ request: RTSPRequest, _ resource: PlayerResource, host: PlayerHost, now: Instant) {
        guard state != .playing else { return respond(.invalidState, to: request) }
        // There is one track, so it may be set up by the stream's name too.
        guard let offers = request.headers["Transport"].flatMap(TransportHeader.list) else {
            return respond(.badRequest, to: request)
        }
        guard case (let transport, var reply)? = PlainTransport.choose(offers, for: .play) else {
            return respond(.unsupportedTransport, to: request)
        }
        guard let media = host.makeMedia(transport, for: self) else {
            return respond(.notEnoughBandwidth, to: request)
        }
        self.media = media
        state = .ready
        if sessionID == nil { sessionID = host.makeSessionID() }
        if case .datagrams = transport { reply.serverPorts = host.mediaPort...host.mediaPort + 1 }
        reply.ssrc = media.ssrc
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
    }

    private func play(_ request: RTSPRequest, now: Instant) {
        guard state != .initial, let media else { return respond(.invalidState, to: request) }
        let isNew = state == .ready
        state = .playing
        let (sequence, timestamp) = media.position(now: now)
        let stream = PlayerResource.base(of: request.uri)
        let suffix = PlayerResource.trackName + "/"
        let track = stream.hasSuffix("/" + suffix) ? String(stream.dropLast()) : stream + PlayerResource.trackName
        respond(
            .ok, to: request,
            [
                "Session": sessionHeader, "Range": "npt=now-",
                "RTP-Info": "url=\(track);seq=\(sequence);rtptime=\(timestamp)",
            ])
        media.play(now: now)
        media.tick(now: now)
        if isNew { demands.append(.event(.joined(address: address))) }
    }

    private func pause(_ request: RTSPRequest) {
        guard state != .initial else { return respond(.invalidState, to: request) }
        if state == .playing { demands.append(.event(.left(address: address, reason: "paused"))) }
        state = .ready
        media?.pause()
        respond(.ok, to: request, ["Session": sessionHeader])
    }

    private func tearDown(_ request: RTSPRequest, now: Instant) {
        guard state != .initial else { return respond(.invalidState, to: request) }
        if state == .playing {
            media?.sayGoodbye(now: now)
            demands.append(.event(.left(address: address, reason: "left")))
        }
        respond(.ok, to: request)
        // The reports still have to go out: `PlayerHost.settle` takes them, then `forget` lets go.
        state = .initial
        sessionID = nil
    }

    /// There are no parameters: an empty request keeps the session alive (RFC 2326 section 10.8).
    private func parameters(_ request: RTSPRequest) {
        guard request.body.isEmpty else {
            return respond(
                .parameterNotUnderstood, to: request, ["Content-Type": "text/parameters"], body: request.body)
        }
        respond(.ok, to: request, sessionID == nil ? [:] : ["Session": sessionHeader])
    }

    private var sessionHeader: String {
        RTSPSessionHeader(id: sessionID ?? "", timeout: Int(Self.timeout.components.seconds)).value
    }

    private func respond(
        _ status: RTSPStatus, to request: RTSPRequest?, _ headers: RTSPHeaders = [:], body: [UInt8] = []
    ) {
        var all: RTSPHeaders = [:]
        if let sequence = request?.headers.sequence { all.sequence = sequence }
        all.append("Server", "Heliograph")
        for field in headers.fields { all.append(field.name, field.value) }
        demands.append(.send(RTSPResponse(status, headers: all, body: body).serialised()))
    }

    // MARK: End

    /// After TEARDOWN, once its last reports are taken.
    func forget() {
        if state == .initial { media = nil }
    }

    /// Ends the connection; whoever shares is told why when there is a reason to tell.
    func end(_ reason: String?, close: Bool, now: Instant) {
        guard state != .ended else { return }
        if state == .playing {
            if close { media?.sayGoodbye(now: now) }
            if let reason { demands.append(.event(.left(address: address, reason: reason))) }
        }
        state = .ended
        waiting = nil
        if close { demands.append(.close) }
    }
}
