internal import DequeModule
import HelioAdmission
import HelioCore
import HelioProtection
import HelioRTP
import HelioRTSP

/// A client's dialogue with another program's server, the same for playing and recording: sends requests one after the
/// other, authenticates by digest if the server requires it, chooses the transport, and answers the server's own
/// requests.
final class ServerDialogue<Event> {
    /// A message or step of the server's that the owner has to handle.
    enum Heard {
        /// The answer to the last request.
        case answer(RTSPResponse)
        /// A track is set up, and its media uses this transport.
        case setUp(PlainTrack, PlainTransport)
        /// The server has refused to set up the track, or its answer is unusable.
        case setUpRefused(PlainTrack, RTSPResponse)
        /// The server accepts the video neither by UDP, if that was offered, nor within the connection.
        case noTransport
        /// A media packet on a channel of the connection.
        case packet([UInt8], RTPChannel, PlainTrack)
        /// A packet on a channel that was not agreed on.
        case foreignPacket
        /// A response that matches no pending request.
        case strayResponse
        /// A request of the server's, which has been answered.
        case request
        /// The server has ended the session.
        case teardown
        /// A final refusal: rejected credentials, or a redirection.
        case refused(HelioError)
        /// The server does not speak RTSP.
        case violated(HelioError)
    }

    private struct Request {
        var method: RTSPMethod
        var uri: String
        /// The headers, except those that every request has.
        var headers: RTSPHeaders
        var body: [UInt8]
        var sequence: UInt32 = 0
        /// The number of times that the request was sent with an answer to a challenge.
        var answered = 0
        /// True if the request was last sent with an answer to a challenge.
        var isAuthorized = false
    }

    let address: RTSPAddress
    private let use: PlainTransport.Use
    private let prefersInterleaved: Bool
    private let crypto: any CryptoProvider
    var random: any RandomNumberGenerator & Sendable
    private var outputs = Deque<RTSPClientOutput<Event>>()

    // State of the connection.
    private var parser = RTSPParser()
    private var authentication: ClientAuthentication
    private var nextCSeq: UInt32 = 1
    private var pending: Request?
    /// True once an RTSP server has answered.
    private(set) var hasAnswered = false
    /// True if the server supports GET_PARAMETER.
    private(set) var hasGetParameter = false
    /// The session that the server has named in its responses; every request carries it.
    var session: RTSPSessionHeader?
    /// The track being set up, and its URI.
    private var settingUp: (track: PlainTrack, uri: String)?
    private var awaitsPorts = false
    /// The transport of each track, once the server has confirmed it.
    private(set) var transports: [PlainTrack: PlainTransport] = [:]
    /// This end's UDP ports for each track, if there are any.
    private(set) var ports: [PlainTrack: (rtp: UInt16, rtcp: UInt16)] = [:]
    /// True if UDP was refused, does not work, is unavailable or not wanted, or would not be encrypted.
    var isInterleavedOnly: Bool
    /// The bytes on the connection that the system has not taken yet.
    private(set) var unsent = UnsentBytes(most: 4 << 20, patience: .seconds(20))

    /// - Parameters:
    ///   - isInterleavedOnly: true to use no UDP.
    init(
        _ address: RTSPAddress, to use: PlainTransport.Use, isInterleavedOnly: Bool = false, crypto: any CryptoProvider,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.address = address
        self.use = use
        self.crypto = crypto
        self.random = random
        // With a secure address, media over UDP would be unencrypted.
        prefersInterleaved = isInterleavedOnly || address.isSecure
        self.isInterleavedOnly = prefersInterleaved
        authentication = ClientAuthentication(address.credentials, to: use, crypto: crypto)
    }

    // MARK: The connection

    /// Closes the present connection, and opens another one.
    func connect() {
        parser = RTSPParser()
        transports = [:]
        forget()
        unsent.clear()
        outputs.append(.link(.connect))
    }

    /// Discards all knowledge of the server, which may be a different one after a reconnect.
    func forgetServer() {
        authentication = ClientAuthentication(address.credentials, to: use, crypto: crypto)
        nextCSeq = 1
        hasAnswered = false
        hasGetParameter = false
        ports = [:]
        isInterleavedOnly = prefersInterleaved
    }

    /// Ends the server's session, if there is one.
    func tearDown(_ uri: String, now: Instant) {
        // If the request can't be made, the server ends the session by its timeout.
        if session != nil { _ = request(.teardown, uri, now: now) }
        forget()
    }

    /// Discards the session and the pending request.
    private func forget() {
        pending = nil
        session = nil
        settingUp = nil
        awaitsPorts = false
    }

    func close() {
        transports = [:]
        outputs.append(.link(.close))
    }

    func wrote(_ count: Int, now: Instant) { unsent.taken(count, now: now) }

    // MARK: Outputs

    func poll() -> RTSPClientOutput<Event>? { outputs.popFirst() }

    func emit(_ event: Event) { outputs.append(.event(event)) }

    var transport: PlainTransport? { transports[.video] }

    /// Sends a packet of a track by the agreed transport.
    func send(_ packet: [UInt8], _ channel: RTPChannel, _ track: PlainTrack, now: Instant) {
        switch transports[track] {
        case .datagrams: outputs.append(.link(.datagram(packet, channel, track)))
        case .interleaved(let rtp, let rtcp):
            send(RTSPMessage.interleaved(channel: channel == .rtp ? rtp : rtcp, packet).serialised(), now: now)
        case nil: break
        }
    }

    private func send(_ bytes: [UInt8], now: Instant) {
        unsent.write(bytes.count, now: now)
        outputs.append(.link(.send(bytes)))
    }

    // MARK: Requests

    /// True while the last request has no answer yet.
    var isWaiting: Bool { pending != nil }

    /// Sends a request; the answer to an earlier one is no longer awaited.
    ///
    /// - Returns: the error if the answer to the server's challenge can't be computed; `nil` if the request was sent.
    func request(
        _ method: RTSPMethod, _ uri: String, headers: RTSPHeaders = [:], body: [UInt8] = [], now: Instant
    ) -> HelioError? {
        send(Request(method: method, uri: uri, headers: headers, body: body), now: now)
    }

    private func send(_ request: Request, now: Instant) -> HelioError? {
        var request = request
        request.sequence = nextCSeq
        nextCSeq &+= 1
        var headers: RTSPHeaders = ["CSeq": "\(request.sequence)", "User-Agent": "Heliograph"]
        for field in request.headers.fields { headers.append(field.name, field.value) }
        if let session { headers.append("Session", session.id) }
        do {
            if let answer = try authentication.authorization(request.method, uri: request.uri) {
                headers.append("Authorization", answer)
                request.answered += 1
                request.isAuthorized = true
            }
        } catch {
            return HelioError(.systemFailed, "The answer to the server's challenge can't be made: \(error).")
        }
        pending = request
        send(
            RTSPRequest(request.method, uri: request.uri, headers: headers, body: request.body).serialised(), now: now)
        return nil
    }

    // MARK: Messages of the server

    func append(_ bytes: [UInt8]) { parser.append(bytes) }

    /// Handles the server's next message; returns `nil` until more bytes are received.
    func next(now: Instant) -> Heard? {
        do throws(RTSPParseError) {
            while let message = try parser.next() {
                let heard: Heard? =
                    switch message {
                    case .response(let response): handle(response, now: now)
                    case .request(let request): handle(request, now: now)
                    case .interleaved(let channel, let packet):
                        hear(packet, channel)
                    }
                if let heard { return heard }
            }
            return nil
        } catch {
            return .violated(
                HelioError(.protocolViolation, "The server does not speak RTSP 1.0 as it should: \(error)."))
        }
    }

    private func hear(_ packet: [UInt8], _ number: UInt8) -> Heard {
        for track in PlainTrack.allCases {
            if let channel = transports[track]?.channel(number) { return .packet(packet, channel, track) }
        }
        return .foreignPacket
    }

    /// - Returns: `nil` for a 1xx response, and for one that requires credentials: the request is sent again then.
    private func handle(_ response: RTSPResponse, now: Instant) -> Heard? {
        hasAnswered = true
        guard response.status.code >= 200 else { return nil }
        guard var request = pending, response.headers["CSeq"] == nil || response.headers.sequence == request.sequence
        else { return .strayResponse }
        pending = nil
        guard response.status == .unauthorized else {
            if request.isAuthorized { authentication.accepted() }
            return settingUp == nil ? .answer(response) : handleSetUp(response, now: now)
        }
        if let error = authentication.challenged(response, answered: request.answered, using: &random) {
            return .refused(error)
        }
        request.isAuthorized = false
        return send(request, now: now).map { .refused($0) }
    }

    /// Answers the server's own requests: it may check that the client is alive, and end the session (RFC 2326 section
    /// 10).
    private func handle(_ request: RTSPRequest, now: Instant) -> Heard {
        if request.method == .teardown { return .teardown }
        if request.method.rawValue == "REDIRECT" { return .refused(ServerRefusal.moved(request.headers)) }
        let isKnown = [.options, .getParameter, .setParameter].contains(request.method)
        let headers: RTSPHeaders = request.headers["CSeq"].map { ["CSeq": $0] } ?? [:]
        send(RTSPResponse(isKnown ? .ok : .notImplemented, headers: headers).serialised(), now: now)
        return .request
    }

    // MARK: Setup steps

    /// Handles the answer to OPTIONS, whatever its status: some servers do not support it.
    func learnMethods(_ response: RTSPResponse) {
        let methods = response.headers["Public"]?.split(separator: ",") ?? []
        hasGetParameter = methods.contains { $0.filter { $0 != " " } == RTSPMethod.getParameter.rawValue }
    }

    /// Sets up a track: by UDP if that is wanted and available, otherwise within the connection.
    func setUp(_ track: PlainTrack, _ uri: String, now: Instant) -> HelioError? {
        settingUp = (track, uri)
        guard !isInterleavedOnly else { return requestSetUp(track, uri, now: now) }
        awaitsPorts = true
        outputs.append(.link(.openPorts(track)))
        return nil
    }

    /// Continues a SETUP with the UDP ports that the driver has opened; `nil` if it could not open them.
    func portsAreOpen(_ ports: (rtp: UInt16, rtcp: UInt16)?, now: Instant) -> HelioError? {
        guard awaitsPorts, let settingUp else { return nil }
        awaitsPorts = false
        self.ports[settingUp.track] = ports
        // If the video has ports and the sound has none, only the sound is sent within the connection.
        if ports == nil, settingUp.track == .video { isInterleavedOnly = true }
        return requestSetUp(settingUp.track, settingUp.uri, now: now)
    }

    private func requestSetUp(_ track: PlainTrack, _ uri: String, now: Instant) -> HelioError? {
        let wanted = PlainTransport.request(
            clientPorts: isInterleavedOnly ? nil : ports[track], firstChannel: track == .video ? 0 : 2, for: use)
        return request(.setup, uri, headers: ["Transport": wanted], now: now)
    }

    private func handleSetUp(_ response: RTSPResponse, now: Instant) -> Heard? {
        guard let (track, uri) = settingUp else { return .strayResponse }
        if response.status == .unsupportedTransport, track == .video {
            guard !isInterleavedOnly else { return .noTransport }
            isInterleavedOnly = true
            return requestSetUp(track, uri, now: now).map { .refused($0) }
        }
        settingUp = nil
        guard response.status.isSuccess else { return .setUpRefused(track, response) }
        if track == .sound { return handleSoundSetUp(response) }
        // Some servers begin the session in the answer to ANNOUNCE.
        guard let answer = response.headers["Transport"].flatMap(PlainTransport.init(answer:)),
            let session = response.headers["Session"].flatMap(RTSPSessionHeader.init(lenient:)) ?? session
        else {
            return .violated(
                HelioError(
                    .protocolViolation, "The server's answer to SETUP lacks a session, or ports or channels."))
        }
        if case .datagrams(let rtp, let rtcp) = answer {
            guard !isInterleavedOnly else {
                return .violated(
                    HelioError(.protocolViolation, "The server answers with UDP where it was asked for TCP."))
            }
            outputs.append(.link(.aim(.video, rtp: rtp, rtcp: rtcp)))
        }
        transports[.video] = answer
        self.session = session
        return .setUp(.video, answer)
    }

    /// Handles the answer to the sound's SETUP; an unusable one does not affect the video.
    private func handleSoundSetUp(_ response: RTSPResponse) -> Heard {
        guard let answer = response.headers["Transport"].flatMap(PlainTransport.init(answer:)),
            let video = transports[.video], !answer.overlaps(video)
        else { return .setUpRefused(.sound, response) }
        if case .datagrams(let rtp, let rtcp) = answer {
            guard !isInterleavedOnly, ports[.sound] != nil else { return .setUpRefused(.sound, response) }
            outputs.append(.link(.aim(.sound, rtp: rtp, rtcp: rtcp)))
        }
        transports[.sound] = answer
        return .setUp(.sound, answer)
    }

    /// The time between keep-alives: half of the server's session timeout (RFC 2326 section 12.37).
    var keepAliveInterval: Duration { .seconds(min(max(session?.timeout ?? 60, 2), 86_400)) / 2 }

    /// Sends a keep-alive.
    ///
    /// - Parameter isAnswered: true if the server has answered the last one. Some never answer GET_PARAMETER, although
    ///   they claim to support it.
    func keepAlive(_ uri: String, isAnswered: Bool, now: Instant) -> HelioError? {
        request(hasGetParameter && isAnswered ? .getParameter : .options, uri, now: now)
    }
}
