internal import HelioAdmission
internal import HelioCore
internal import HelioProtection
internal import HelioRTSP
internal import HelioSession

/// One publisher's connection: RTSP 1.0 (RFC 2326) and, once it records, its stream. Owned by `RecordingHost`.
///
///              ANNOUNCE             SETUP           RECORD
///     initial ----------> announced ------> ready ----------> recording
///        ^                    |               |  ^--- PAUSE ---/  |
///        \---- TEARDOWN ------+---------------+-------------------/
///                                silence, error, closed connection: ended, from anywhere
///
/// What comes out of order is answered with 455 and changes nothing (row 26). The first video stream that we decode is
/// shown. Others, sound say, are agreed to so that the publisher goes on, and what they bring is dropped.
final class RecordingSession {
    enum State: Sendable, Equatable {
        case initial
        case announced
        case ready
        case recording
        case ended
    }

    let id: ConnectionID
    private(set) var state = State.initial
    private(set) var lastHeard: Instant

    private let address: String
    private var parser = RTSPParser()
    private var door: DigestDoor?
    private var outputs: [RecordingHost.Output] = []
    /// Bytes on the connection that the system has not taken yet.
    private var unsent = UnsentBytes(most: 1 << 20)
    private var sessionID: String?
    private var description: ForeignDescription?
    private var streams: [RecordingResource?] = []
    /// Of the streams that are set up; the one that is shown is number 0.
    private var transports: [Int: PlainTransport] = [:]
    private var media: ForeignMedia?
    private var isShown = false
    private var drops = DropCounter<ForeignDrop>()

    /// Silence after which a session ends; told in `Session`. While it records, media has to come.
    static let timeout = Duration.seconds(20)
    private static let mostStreams = 8

    /// In the order in which RFC 2326 has them.
    private static let methods: [RTSPMethod] = [
        .options, .announce, .setup, .record, .pause, .teardown, .getParameter, .setParameter,
    ]
    private static let methodList = methods.map(\.rawValue).joined(separator: ", ")
    /// Known, but nothing here can be watched.
    private static let refusedMethods: [RTSPMethod] = [.describe, .play, RTSPMethod(rawValue: "REDIRECT")]

    init(_ id: ConnectionID, address: String, credentials: PlayerCredentials?, now: Instant) {
        self.id = id
        self.address = address
        door = credentials.map { DigestDoor($0) }
        lastHeard = now
    }

    func takeOutputs() -> [RecordingHost.Output] {
        defer { outputs.removeAll(keepingCapacity: true) }
        return outputs
    }

    // MARK: Time

    var deadline: Deadline? {
        switch state {
        case .ended: nil
        case .recording: media?.deadline
        default: .earliest(Deadline(at: lastHeard + Self.timeout, why: "silent connection"), door?.deadline)
        }
    }

    func tick(host: RecordingHost, now: Instant) {
        if let request = door?.due(now: now) {
            serve(request, host: host, now: now)
            proceed(host: host, now: now)
        }
        switch state {
        case .ended: break
        case .recording:
            media?.tick(now: now)
            drain(now)
            guard let media, state == .recording else { return }
            if media.hasEnded(now: now) {
                end("ended its stream", closes: true, now: now)
            } else if media.hasVanished(now: now) {
                end("sent nothing for \(Self.timeout.components.seconds) s", closes: true, now: now)
            }
        default:
            if now - lastHeard >= Self.timeout { end("fell silent", closes: true, now: now) }
        }
    }

    // MARK: In

    func receive(_ bytes: [UInt8], host: RecordingHost, now: Instant) {
        guard state != .ended else { return }
        parser.append(bytes)
        proceed(host: host, now: now)
    }

    private func proceed(host: RecordingHost, now: Instant) {
        do {
            while state != .ended, door?.isWaiting != true, let message = try parser.next() {
                switch message {
                case .request(let request): take(request, host: host, now: now)
                case .interleaved(let channel, let data): take(data, channel: channel, now: now)
                // Nothing was asked.
                case .response: drops.count(.strayResponse)
                }
                if unsent.isTooMuch {
                    host.count(.unread)
                    end("reads no answers", closes: true, now: now)
                }
            }
        } catch {
            switch error {
            case .unsupportedVersion: respond(.versionNotSupported, to: nil)
            case .bodyTooLarge: respond(.bodyTooLarge, to: nil)
            default: respond(.badRequest, to: nil)
            }
            end("broke the protocol: \(error)", closes: true, now: now)
        }
        if door?.isWaiting == true, parser.bufferedByteCount > DigestDoor.mostWaiting {
            end("sent too much at once", closes: true, now: now)
        }
    }

    /// Takes a datagram; `false` where none is expected.
    func hear(_ bytes: [UInt8], _ channel: RTPChannel, now: Instant) -> Bool {
        guard state == .recording, case .datagrams? = transports[0] else { return false }
        media?.receive(bytes, channel, now: now)
        drain(now)
        return true
    }

    private func take(_ data: [UInt8], channel: UInt8, now: Instant) {
        lastHeard = now
        guard state == .recording else { return drops.count(.foreignChannel) }
        if case .interleaved(let rtp, let rtcp)? = transports[0], [rtp, rtcp].contains(channel) {
            media?.receive(data, channel == rtp ? .rtp : .rtcp, now: now)
            drain(now)
        } else if !usesChannel(channel) {
            drops.count(.foreignChannel)
        }
    }

    private func usesChannel(_ channel: UInt8, besides stream: Int? = nil) -> Bool {
        transports.contains { number, transport in
            guard number != stream, case .interleaved(let media, let reports) = transport else { return false }
            return channel == media || channel == reports
        }
    }

    func waitForKeyframe(now: Instant) {
        media?.waitForKeyframe(now: now)
        drain(now)
    }

    /// The system has taken so many bytes of the connection.
    func wrote(_ count: Int, now: Instant) { unsent.taken(count, now: now) }

    private func take(_ request: RTSPRequest, host: RecordingHost, now: Instant) {
        lastHeard = now
        guard door?.takes() ?? true else {
            host.count(.tooManyRequests)
            return end(nil, closes: true, now: now)
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
    private func serve(_ request: RTSPRequest, host: RecordingHost, now: Instant) {
        guard let resource = RecordingResource(uri: request.uri) else { return respond(.notFound, to: request) }
        guard isAdmitted(request, resource, host: host, now: now) else { return }
        if let feature = request.headers["Require"] ?? request.headers["Proxy-Require"] {
            return respond(.optionNotSupported, to: request, ["Unsupported": feature])
        }
        if let named = request.headers["Session"] {
            guard let sessionID, RTSPSessionHeader(named)?.id == sessionID else {
                return respond(.sessionNotFound, to: request)
            }
        }
        switch request.method {
        case .announce: announce(request, host: host)
        case .setup: setUp(request, resource, host: host, now: now)
        case .record: record(request, now: now)
        case .pause: pause(request)
        case .teardown: tearDown(request, host: host)
        default: parameters(request)
        }
    }

    private func isAdmitted(
        _ request: RTSPRequest, _ resource: RecordingResource, host: RecordingHost, now: Instant
    ) -> Bool {
        let verdict = door?.judge(
            request, from: address,
            // Publishers name what they ask for, or what they were called with.
            isOwn: { RecordingResource(uri: $0).map { resource.isBelow($0) } ?? false }, guesses: &host.guesses,
            random: &host.random, crypto: host.crypto, now: now, count: { host.count($0) })
        if case .later = verdict { return false }
        guard case .refused(let status, let headers, let reason, let closes) = verdict else { return true }
        respond(status, to: request, headers)
        if let reason { outputs.append(.event(.refused(address: address, reason: reason))) }
        if closes { end(nil, closes: true, now: now) }
        return false
    }

    // MARK: Methods

    private func announce(_ request: RTSPRequest, host: RecordingHost) {
        guard state == .initial || state == .announced else { return outOfOrder(request) }
        let type = request.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }
        guard type?.lowercased() == "application/sdp" else { return respond(.unsupportedMediaType, to: request) }
        let described: ForeignDescription
        do {
            described = try ForeignDescription(request.body, base: request.uri)
        } catch {
            let (status, reason) = Self.refusal(error)
            outputs.append(.event(.refused(address: address, reason: reason)))
            return respond(status, to: request)
        }
        guard described.otherStreamURIs.count < Self.mostStreams else { return respond(.badRequest, to: request) }
        guard host.admits(self) else {
            outputs.append(.event(.refused(address: address, reason: "another program publishes already")))
            return respond(.serviceUnavailable, to: request, ["Retry-After": "5"])
        }
        description = described
        streams = ([described.streamURI] + described.otherStreamURIs).map { RecordingResource(uri: $0) }
        state = .announced
        respond(.ok, to: request)
    }

    /// For the publisher, and for the person who waits for it.
    private static func refusal(_ failure: ForeignDescription.Failure) -> (RTSPStatus, String) {
        switch failure {
        case .unreadable: (.badRequest, "its description can't be read")
        case .noVideo: (.unsupportedMediaType, "it has no video")
        case .unsupported(let what): (.unsupportedMediaType, unsupported(what))
        }
    }

    private static func unsupported(_ what: String) -> String {
        "its video is \(what); H.264 and H.265 with 8 bits a sample, in 4:2:0 or 4:4:4, can be shown"
    }

    private func setUp(_ request: RTSPRequest, _ resource: RecordingResource, host: RecordingHost, now: Instant) {
        guard state == .announced || state == .ready, let description else { return outOfOrder(request) }
        guard let number = streams.firstIndex(of: resource) else { return respond(.notFound, to: request) }
        guard let offers = request.headers["Transport"].flatMap(TransportHeader.list) else {
            return respond(.badRequest, to: request)
        }
        guard
            case (let transport, var reply)? = PlainTransport.choose(
                offers, for: .record, freeChannel: UInt8(number * 2))
        else { return respond(.unsupportedTransport, to: request) }
        switch transport {
        case .datagrams(let rtp, let rtcp):
            guard host.mediaPort > 0 else { return respond(.unsupportedTransport, to: request) }
            // Streams that are not shown send there too: by their ports they are told from the one that is.
            reply.serverPorts = host.mediaPort...host.mediaPort + 1
            if number == 0 { outputs.append(.aim(id, rtp: rtp, rtcp: rtcp)) }
        case .interleaved(let rtp, let rtcp):
            guard !usesChannel(rtp, besides: number), !usesChannel(rtcp, besides: number) else {
                return respond(.unsupportedTransport, to: request)
            }
            if number == 0 { outputs.append(.turnAway) }
        }
        transports[number] = transport
        if number == 0 { media = host.makeMedia(description, now: now) }
        state = .ready
        if sessionID == nil { sessionID = host.makeSessionID() }
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
    }

    private func record(_ request: RTSPRequest, now: Instant) {
        guard state == .ready || state == .recording, let media else { return outOfOrder(request) }
        if state == .ready {
            state = .recording
            media.begin(now: now)
        }
        respond(.ok, to: request, ["Session": sessionHeader])
    }

    private func pause(_ request: RTSPRequest) {
        guard state == .ready || state == .recording else { return outOfOrder(request) }
        state = .ready
        respond(.ok, to: request, ["Session": sessionHeader])
    }

    private func tearDown(_ request: RTSPRequest, host: RecordingHost) {
        guard state != .initial else { return outOfOrder(request) }
        respond(.ok, to: request)
        leave("has left")
        host.release(self)
        state = .initial
    }

    /// There are no parameters: an empty request keeps the session alive (RFC 2326 section 10.8).
    private func parameters(_ request: RTSPRequest) {
        guard request.body.isEmpty else {
            return respond(
                .parameterNotUnderstood, to: request, ["Content-Type": "text/parameters"], body: request.body)
        }
        respond(.ok, to: request, sessionID == nil ? [:] : ["Session": sessionHeader])
    }

    private func outOfOrder(_ request: RTSPRequest) { respond(.invalidState, to: request, ["Allow": allowed]) }

    /// In this state.
    private var allowed: String {
        let methods: [RTSPMethod] =
            switch state {
            case .initial, .ended: [.announce]
            case .announced: [.announce, .setup, .teardown]
            case .ready: [.setup, .record, .pause, .teardown]
            case .recording: [.record, .pause, .teardown]
            }
        return (["OPTIONS"] + methods.map(\.rawValue)).joined(separator: ", ")
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
        send(RTSPResponse(status, headers: all, body: body).serialised())
    }

    private func send(_ bytes: [UInt8]) {
        unsent.write(bytes.count, now: lastHeard)
        outputs.append(.send(id, bytes))
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
            outputs.append(.event(.playing(format, address: address, isInterleaved: isInterleaved)))
        }
        pass(media)
        if let what = media.obstacle { end(Self.unsupported(what), closes: true, now: now) }
    }

    private func pass(_ media: ForeignMedia) {
        while let output = media.next() {
            switch (output, transports[0]) {
            case (.frame(let frame), _): outputs.append(.event(.frame(frame)))
            case (.packet(let bytes, let channel), .interleaved(let rtp, let rtcp)?):
                send(RTSPMessage.interleaved(channel: channel == .rtp ? rtp : rtcp, bytes).serialised())
            case (.packet(let bytes, let channel), .datagrams?): outputs.append(.datagram(bytes, channel))
            case (.packet, nil): break
            }
        }
    }

    func add(to statistics: inout SinkSession.Statistics) {
        media?.add(to: &statistics)
        for (name, count) in drops.named { statistics.drops["media-\(name)", default: 0] += count }
    }

    // MARK: End

    /// Lets go of the stream.
    private func leave(_ reason: String?) {
        if isShown { outputs.append(.event(.left(address: address, reason: reason ?? "was put out"))) }
        if case .datagrams? = transports[0] { outputs.append(.turnAway) }
        isShown = false
        media = nil
        description = nil
        streams = []
        transports = [:]
        sessionID = nil
    }

    /// Ends the connection; who watches is told why where there was something to see.
    func end(_ reason: String?, closes: Bool, now: Instant) {
        guard state != .ended else { return }
        if state == .recording, closes, let media {
            media.sayGoodbye()
            pass(media)
        }
        state = .ended
        leave(reason)
        if closes { outputs.append(.close(id)) }
    }
}
