import HelioCore
import HelioMedia
import HelioPlainRTP
import HelioRTP
import HelioRTSP

/// The session of one publisher of an `RTSPRecordServer`: RTSP 1.0 (RFC 2326), and the stream while it records.
///
///              ANNOUNCE             SETUP           RECORD
///     initial ----------> announced ------> ready ----------> recording
///        ^                    |               |  ^--- PAUSE ---/  |
///        \---- TEARDOWN ------+---------------+-------------------/
///                                silence, error, closed connection: ended, from anywhere
///
/// A request in a wrong state is answered with 455 and changes nothing (requirement row 26). The first decodable video
/// stream and the first decodable audio stream are played. Other streams are accepted, so that the publisher does not
/// fail, but their packets are dropped.
final class RecordSession: DropCounting, ServerSession {
    enum State: Sendable, Equatable {
        case initial
        case announced
        case ready
        case recording
        case ended
    }

    /// The rules of a recording session. The timeout also applies to the media while it records.
    static let rules = ServerRules(
        methods: [.options, .announce, .setup, .record, .pause, .teardown, .getParameter, .setParameter],
        refusedMethods: [.describe, .play, RTSPMethod(rawValue: "REDIRECT")], timeout: .seconds(20),
        mostUnsent: 1 << 20, unreadReason: "reads no answers", mostWaiting: DigestAdmission.mostWaiting,
        bodyTooLarge: .bodyTooLarge, full: .tooManyConnections)
    private static let mostStreams = 8

    let connection: ServerConnection<RTSPRecordServer.Event>
    let keepsRequest = false

    private unowned let host: RTSPRecordServer
    private var state = State.initial
    private var description: PlainDescription?
    private var streams: [RecordResource?] = []
    /// The index of the sound in `streams`; `nil` without sound. The index of the video is 0.
    private var soundNumber: Int?
    /// The transports of the streams that are set up, by index in `streams`.
    private var transports: [Int: PlainTransport] = [:]
    private var media: PlainSink?
    private var isShown = false
    private var drops = DropCounter<MediaDrop>()

    init(_ id: ConnectionID, address: String, host: RTSPRecordServer, now: Instant) {
        self.host = host
        connection = ServerConnection(
            id, address: address, rules: Self.rules, credentials: host.server.credentials, now: now)
    }

    var server: ServerState { host.server }
    var hasEnded: Bool { state == .ended }
    var isStranger: Bool { host.publisher !== self }

    // MARK: Time

    var deadline: Deadline? {
        switch state {
        case .ended: nil
        case .recording: media?.deadline
        default:
            .earliest(
                Deadline(at: connection.lastHeard + Self.rules.timeout, why: "silent connection"),
                connection.admission?.deadline)
        }
    }

    func tick(now: Instant) {
        resume(now: now)
        let timeout = Self.rules.timeout
        switch state {
        case .ended: break
        case .recording:
            media?.tick(now: now)
            drain(now)
            guard let media, state == .recording else { return }
            if media.hasEnded(now: now) {
                end("ended its stream", closes: true, now: now)
            } else if media.hasVanished(now: now) {
                end("sent nothing for \(timeout.components.seconds) s", closes: true, now: now)
            }
        default:
            if now - connection.lastHeard >= timeout { end("fell silent", closes: true, now: now) }
        }
    }

    // MARK: Receiving

    /// Handles a datagram. Returns false if none is expected.
    func handle(_ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack, now: Instant) -> Bool {
        guard state == .recording, transport(of: track)?.isDatagrams == true else { return false }
        media?.handle(bytes, channel, track, now: now)
        drain(now)
        return true
    }

    private func transport(of track: PlainTrack) -> PlainTransport? {
        switch track {
        case .video: transports[0]
        case .sound: soundNumber.flatMap { transports[$0] }
        }
    }

    /// The track of a stream; `nil` for a stream that is not played.
    private func track(_ number: Int) -> PlainTrack? {
        number == 0 ? .video : number == soundNumber ? .sound : nil
    }

    func handle(_ packet: [UInt8], channel: UInt8, now: Instant) {
        connection.lastHeard = now
        guard state == .recording else { return drops.count(.foreignChannel) }
        for track in PlainTrack.allCases {
            guard let channel = transport(of: track)?.channel(channel) else { continue }
            media?.handle(packet, channel, track, now: now)
            return drain(now)
        }
        if !usesChannel(channel) { drops.count(.foreignChannel) }
    }

    private func usesChannel(_ channel: UInt8, besides stream: Int? = nil) -> Bool {
        transports.contains { $0.key != stream && $0.value.channel(channel) != nil }
    }

    func countStrayResponse() { drops.count(.strayResponse) }

    func waitForKeyframe(now: Instant) {
        media?.waitForKeyframe(now: now)
        drain(now)
    }

    func serve(_ request: RTSPRequest, now: Instant) {
        guard let resource = RecordResource(uri: request.uri) else { return connection.respond(.notFound, to: request) }
        // The URI in a publisher's credentials is the request's URI, or the URI given to the publisher at its start.
        guard
            isAdmitted(
                request, now: now, isOwn: { RecordResource(uri: $0).map { resource.isBelow($0) } ?? false }),
            isSupported(request)
        else { return }
        guard connection.isOfSession(request) else { return connection.respond(.sessionNotFound, to: request) }
        switch request.method {
        case .announce: announce(request)
        case .setup: setUp(request, resource, now: now)
        case .record: record(request, now: now)
        case .pause: pause(request)
        case .teardown: tearDown(request)
        default: connection.respondToParameters(request)
        }
    }

    // MARK: Methods

    private func announce(_ request: RTSPRequest) {
        guard state == .initial || state == .announced else { return outOfOrder(request) }
        let type = request.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }
        guard type?.lowercased() == "application/sdp" else {
            return connection.respond(.unsupportedMediaType, to: request)
        }
        let described: PlainDescription
        do {
            described = try PlainDescription(request.body, base: request.uri)
        } catch {
            let (status, reason) = Self.refusal(error)
            refuse(reason)
            return connection.respond(status, to: request)
        }
        guard described.otherStreamURIs.count < Self.mostStreams else {
            return connection.respond(.badRequest, to: request)
        }
        guard host.admits(self) else {
            refuse("another program publishes already")
            return connection.respond(.serviceUnavailable, to: request, ["Retry-After": "5"])
        }
        description = described
        streams = ([described.streamURI] + described.otherStreamURIs).map { RecordResource(uri: $0) }
        let sound = described.sound.flatMap { RecordResource(uri: $0.uri) }
        soundNumber = sound.flatMap { sound in streams.firstIndex { $0 == sound } }.flatMap { $0 > 0 ? $0 : nil }
        state = .announced
        connection.respond(.ok, to: request)
    }

    private func refuse(_ reason: String) { connection.emit(.refused(address: connection.address, reason: reason)) }

    /// The refusal of a description: the status code for the publisher, and the reason for this end's user.
    private static func refusal(_ failure: PlainDescription.Failure) -> (RTSPStatus, String) {
        switch failure {
        case .unreadable: (.badRequest, "its description can't be read")
        case .noVideo: (.unsupportedMediaType, "it has no video")
        case .unsupported(let what): (.unsupportedMediaType, unsupported(what))
        }
    }

    private static func unsupported(_ what: String) -> String {
        "its video is \(what); H.264 and H.265 with 8 bits a sample, in 4:2:0 or 4:4:4, can be shown"
    }

    private func setUp(_ request: RTSPRequest, _ resource: RecordResource, now: Instant) {
        guard state == .announced || state == .ready else { return outOfOrder(request) }
        guard let number = streams.firstIndex(of: resource) else { return connection.respond(.notFound, to: request) }
        guard let offers = request.headers["Transport"].flatMap(TransportHeader.list) else {
            return connection.respond(.badRequest, to: request)
        }
        let chosen = PlainTransport.choose(offers, for: .record, freeChannel: UInt8(number * 2))
        guard case (let transport, var reply)? = chosen else {
            return connection.respond(.unsupportedTransport, to: request)
        }
        switch transport {
        case .datagrams(let rtp, let rtcp):
            guard let ports = server.ports else { return connection.respond(.unsupportedTransport, to: request) }
            // All streams use the same server ports, and are distinguished by the publisher's ports.
            reply.serverPorts = ports
            if let track = track(number) { connection.listen(track, rtp: rtp, rtcp: rtcp) }
        case .interleaved(let rtp, let rtcp):
            guard !usesChannel(rtp, besides: number), !usesChannel(rtcp, besides: number) else {
                return connection.respond(.unsupportedTransport, to: request)
            }
            if let track = track(number) { connection.stopListening(track) }
        }
        transports[number] = transport
        if track(number) != nil { media = nil }
        state = .ready
        connection.beginSession(server)
        connection.respond(.ok, to: request, ["Transport": reply.value, "Session": connection.sessionHeader])
    }

    private func record(_ request: RTSPRequest, now: Instant) {
        guard state == .ready || state == .recording, transports[0] != nil, let description else {
            return outOfOrder(request)
        }
        if state == .ready {
            state = .recording
            begin(description, now: now)
        }
        connection.respond(.ok, to: request, ["Session": connection.sessionHeader])
    }

    /// Starts or resumes receiving the tracks that are set up.
    private func begin(_ description: PlainDescription, now: Instant) {
        guard media == nil else {
            media?.begin(now: now)
            return
        }
        let sound = transport(of: .sound).flatMap { _ in description.sound }
        media = host.makeMedia(description, sound, now: now)
        if let sound {
            connection.emit(.soundFormat(sound.codec, sound.format, configuration: sound.configuration))
        } else {
            connection.emit(.noSound(reason: description.soundObstacle ?? "it is not set up"))
        }
    }

    private func pause(_ request: RTSPRequest) {
        guard state == .ready || state == .recording else { return outOfOrder(request) }
        state = .ready
        connection.respond(.ok, to: request, ["Session": connection.sessionHeader])
    }

    private func tearDown(_ request: RTSPRequest) {
        guard state != .initial else { return outOfOrder(request) }
        connection.respond(.ok, to: request)
        leave("has left")
        state = .initial
    }

    /// Answers a request in a wrong state with 455 and the methods that are allowed in the present state.
    private func outOfOrder(_ request: RTSPRequest) {
        let methods: [RTSPMethod] =
            switch state {
            case .initial, .ended: [.announce]
            case .announced: [.announce, .setup, .teardown]
            case .ready: [.setup, .record, .pause, .teardown]
            case .recording: [.record, .pause, .teardown]
            }
        let allowed = (["OPTIONS"] + methods.map(\.rawValue)).joined(separator: ", ")
        connection.respond(.invalidState, to: request, ["Allow": allowed])
    }

    // MARK: Media

    private func drain(_ now: Instant) {
        guard let media else { return }
        if media.hasBegun, !isShown, let description {
            isShown = true
            let format = VideoFormat(
                codec: description.codec, size: description.size ?? PixelSize(width: 0, height: 0))
            var isInterleaved = false
            if case .interleaved? = transports[0] { isInterleaved = true }
            connection.emit(.playing(format, address: connection.address, isInterleaved: isInterleaved))
        }
        flush(now: now)
        if let what = media.obstacle { end(Self.unsupported(what), closes: true, now: now) }
    }

    func flush(now: Instant) {
        while let output = media?.poll() {
            switch output {
            case .frame(let frame):
                host.nextFrame = frame.frameIndex + 1
                connection.emit(.frame(frame))
            case .sound(let sound): connection.emit(.sound(sound))
            case .soundClock(let clock): connection.emit(.soundClock(clock))
            case .packet(let bytes, let channel, let track):
                if let transport = transport(of: track) { connection.send(bytes, channel, by: transport) }
            }
        }
    }

    var statistics: SinkStatistics? { media?.statistics }
    var allDrops: [String: Int] { .sum(media, drops.named("media-")) }

    // MARK: End

    /// Releases the stream, so that another client can publish.
    private func leave(_ reason: String?) {
        if isShown { connection.emit(.left(address: connection.address, reason: reason ?? "was put out")) }
        for track in PlainTrack.allCases where transport(of: track)?.isDatagrams == true {
            connection.stopListening(track)
        }
        isShown = false
        media = nil
        description = nil
        streams = []
        soundNumber = nil
        transports = [:]
        connection.endSession()
        host.release(self)
    }

    func end(_ reason: String?, closes: Bool, now: Instant) {
        guard !hasEnded else { return }
        if state == .recording, closes {
            media?.sayGoodbye()
            flush(now: now)
        }
        state = .ended
        leave(reason)
        if closes { connection.close() }
    }
}
