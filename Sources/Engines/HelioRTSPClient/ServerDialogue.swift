internal import DequeModule
import HelioAdmission
import HelioCore
import HelioProtection
import HelioRTP
import HelioRTSP

/// The RTSP protocol of a client, for playing and recording. It sends one request at a time, answers digest challenges,
/// negotiates the transport, and answers the server's requests.
final class ServerDialogue<Event> {
    /// An event of the dialogue for its owner.
    enum Heard {
        /// The response to the last request, except SETUP.
        case answer(RTSPResponse)
        /// The server has accepted SETUP of the track, with this transport.
        case setUp(PlainTrack, PlainTransport)
        /// The server has refused SETUP of the track, or its response is unusable.
        case setUpRefused(PlainTrack, RTSPResponse)
        /// The server accepts the video neither by UDP, if that was requested, nor interleaved in the connection.
        case noTransport
        /// An interleaved RTP or RTCP packet.
        case packet([UInt8], RTPChannel, PlainTrack)
        /// An interleaved packet on a channel that was not negotiated.
        case foreignPacket
        /// A response that matches no pending request.
        case strayResponse
        /// A request of the server, which the dialogue has answered.
        case request
        /// The server has ended the session.
        case teardown
        /// A final error: missing or rejected credentials, or a redirection.
        case refused(HelioError)
        /// The server has violated the protocol.
        case violated(HelioError)
    }

    private struct Request {
        var method: RTSPMethod
        var uri: String
        /// The headers in addition to those of every request.
        var headers: RTSPHeaders
        var body: [UInt8]
        var sequence: UInt32 = 0
        /// The number of times that the request was sent with an `Authorization` header.
        var answered = 0
        /// True if the request was last sent with an `Authorization` header.
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
    /// True if the server lists GET_PARAMETER in `Public`.
    private(set) var hasGetParameter = false
    /// The server's session, whose identifier is in every request; `nil` before it is known.
    var session: RTSPSessionHeader?
    /// The track that is being set up, and its URI.
    private var settingUp: (track: PlainTrack, uri: String)?
    private var awaitsPorts = false
    /// The transports that the server has confirmed, by track.
    private(set) var transports: [PlainTrack: PlainTransport] = [:]
    /// This end's UDP ports, by track.
    private(set) var ports: [PlainTrack: (rtp: UInt16, rtcp: UInt16)] = [:]
    /// True if UDP is not used, because it was refused, does not work, is unavailable or is not wanted, or because the
    /// address requires TLS.
    var isInterleavedOnly: Bool
    /// The number of bytes written to the connection that the kernel has not accepted yet.
    private(set) var unsent = UnsentBytes(most: 4 << 20, patience: .seconds(20))

    /// - Parameters:
    ///   - isInterleavedOnly: true to send and receive all media interleaved in the connection, without UDP.
    init(
        _ address: RTSPAddress, to use: PlainTransport.Use, isInterleavedOnly: Bool = false, crypto: any CryptoProvider,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.address = address
        self.use = use
        self.crypto = crypto
        self.random = random
        // Media over UDP would be unencrypted, so use UDP only if the address does not require TLS.
        prefersInterleaved = isInterleavedOnly || address.isSecure
        self.isInterleavedOnly = prefersInterleaved
        authentication = ClientAuthentication(address.credentials, to: use, crypto: crypto)
    }

    // MARK: The connection

    /// Closes the present connection, and opens a new one.
    func connect() {
        parser = RTSPParser()
        transports = [:]
        forget()
        unsent.clear()
        outputs.append(.link(.connect))
    }

    /// Resets all state learnt from the server, as another server may answer after a reconnect.
    func forgetServer() {
        authentication = ClientAuthentication(address.credentials, to: use, crypto: crypto)
        nextCSeq = 1
        hasAnswered = false
        hasGetParameter = false
        ports = [:]
        isInterleavedOnly = prefersInterleaved
    }

    /// Sends TEARDOWN if there is a session.
    func tearDown(_ uri: String, now: Instant) {
        // If the request can't be made, the server ends the session after its timeout.
        if session != nil { _ = request(.teardown, uri, now: now) }
        forget()
    }

    /// Resets the session and the pending request.
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

    /// Sends an RTP or RTCP packet of a track by the negotiated transport.
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

    /// True while the last request is unanswered.
    var isWaiting: Bool { pending != nil }

    /// Sends a request. It replaces an unanswered earlier request.
    ///
    /// - Returns: an error if the response to the server's challenge can't be computed; `nil` if the request was sent.
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

    /// Handles received messages, and returns the next event for the owner; `nil` until more bytes are received.
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

    /// Handles a response.
    ///
    /// - Returns: `nil` for a 1xx response, and for a 401 after which the request was sent again.
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

    /// Answers a request of the server, which may check whether the client is alive, redirect it or end the session
    /// (RFC 2326 section 10).
    private func handle(_ request: RTSPRequest, now: Instant) -> Heard {
        if request.method == .teardown { return .teardown }
        if request.method.rawValue == "REDIRECT" { return .refused(ServerRefusal.moved(request.headers)) }
        let isKnown = [.options, .getParameter, .setParameter].contains(request.method)
        let headers: RTSPHeaders = request.headers["CSeq"].map { ["CSeq": $0] } ?? [:]
        send(RTSPResponse(isKnown ? .ok : .notImplemented, headers: headers).serialised(), now: now)
        return .request
    }

    // MARK: Setup steps

    /// Handles the response to OPTIONS, with any status, as some servers do not support it.
    func learnMethods(_ response: RTSPResponse) {
        let methods = response.headers["Public"]?.split(separator: ",") ?? []
        hasGetParameter = methods.contains { $0.filter { $0 != " " } == RTSPMethod.getParameter.rawValue }
    }

    /// Sets up a track, by UDP if that is wanted and available, otherwise interleaved in the connection.
    func setUp(_ track: PlainTrack, _ uri: String, now: Instant) -> HelioError? {
        settingUp = (track, uri)
        guard !isInterleavedOnly else { return requestSetUp(track, uri, now: now) }
        awaitsPorts = true
        outputs.append(.link(.openPorts(track)))
        return nil
    }

    /// Sends the pending SETUP.
    ///
    /// - Parameter ports: the UDP ports that the driver has opened; `nil` if it could not open any.
    func portsAreOpen(_ ports: (rtp: UInt16, rtcp: UInt16)?, now: Instant) -> HelioError? {
        guard awaitsPorts, let settingUp else { return nil }
        awaitsPorts = false
        self.ports[settingUp.track] = ports
        // If only the sound's UDP ports can't be opened, only the sound is interleaved in the connection.
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
        // The session may already be known: some servers send it only in the response to ANNOUNCE.
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

    /// Handles the response to the sound's SETUP. An unusable response does not affect the video.
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

    /// The interval of keep-alives: half of the server's session timeout (RFC 2326 section 12.37).
    var keepAliveInterval: Duration { .seconds(min(max(session?.timeout ?? 60, 2), 86_400)) / 2 }

    /// Sends a keep-alive: GET_PARAMETER if the server supports it, otherwise OPTIONS.
    ///
    /// - Parameter isAnswered: true if the server has answered the last keep-alive. Some servers never answer
    ///   GET_PARAMETER, although they list it.
    func keepAlive(_ uri: String, isAnswered: Bool, now: Instant) -> HelioError? {
        request(hasGetParameter && isAnswered ? .getParameter : .options, uri, now: now)
    }
}
