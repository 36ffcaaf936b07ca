import HelioAdmission
import HelioCore
import HelioRTP
import HelioRTSP

/// A client's connection to an RTSP server, with message parser, output queue and RTSP session identifier.
final class ServerConnection<Event> {
    let id: ConnectionID
    /// The client's IP address.
    let address: String
    /// The time of the last message from the client.
    var lastHeard: Instant
    /// The digest authentication; `nil` admits every request.
    var admission: DigestAdmission?
    /// The number of bytes written to the connection that the kernel has not accepted yet.
    private(set) var unsent: UnsentBytes
    private(set) var sessionID: String?

    private let rules: ServerRules
    private var parser = RTSPParser()
    private var outputs: [RTSPServerOutput<Event>] = []
    private var isClosing = false

    init(_ id: ConnectionID, address: String, rules: ServerRules, credentials: ServerCredentials?, now: Instant) {
        self.id = id
        self.address = address
        self.rules = rules
        admission = credentials.map { DigestAdmission($0) }
        unsent = UnsentBytes(most: rules.mostUnsent)
        lastHeard = now
    }

    // MARK: Receiving

    func append(_ bytes: [UInt8]) { parser.append(bytes) }

    /// Returns the next message; `nil` if it is incomplete, or while too many bytes are unsent, as the client does not
    /// read.
    func next() throws(RTSPParseError) -> RTSPMessage? { unsent.isTooMuch ? nil : try parser.next() }

    /// The number of received bytes that are not parsed yet.
    var unread: Int { parser.bufferedByteCount }

    /// Records that the kernel has accepted `count` bytes.
    func wrote(_ count: Int, now: Instant) { unsent.taken(count, now: now) }

    // MARK: The session's identifier

    /// Assigns a session identifier if there is none.
    func beginSession(_ server: ServerState) {
        if sessionID == nil { sessionID = server.makeSessionID() }
    }

    func endSession() { sessionID = nil }

    /// Returns true if a request has no `Session` header, or that of the present session.
    func isOfSession(_ request: RTSPRequest) -> Bool {
        guard let named = request.headers["Session"] else { return true }
        return sessionID != nil && RTSPSessionHeader(named)?.id == sessionID
    }

    var sessionHeader: String {
        RTSPSessionHeader(id: sessionID ?? "", timeout: Int(rules.timeout.components.seconds)).value
    }

    // MARK: Sending

    func respond(_ status: RTSPStatus, to request: RTSPRequest?, _ headers: RTSPHeaders = [:], body: [UInt8] = []) {
        var all: RTSPHeaders = [:]
        if let sequence = request?.headers.sequence { all.sequence = sequence }
        all.append("Server", "Heliograph")
        for field in headers.fields { all.append(field.name, field.value) }
        send(RTSPResponse(status, headers: all, body: body).serialised())
    }

    /// Answers GET_PARAMETER or SET_PARAMETER. An empty request is a keep-alive (RFC 2326 section 10.8); parameters are
    /// not supported.
    func respondToParameters(_ request: RTSPRequest) {
        guard request.body.isEmpty else {
            return respond(
                .parameterNotUnderstood, to: request, ["Content-Type": "text/parameters"], body: request.body)
        }
        respond(.ok, to: request, sessionID == nil ? [:] : ["Session": sessionHeader])
    }

    /// Sends an RTP or RTCP packet by the negotiated transport.
    func send(_ packet: [UInt8], _ channel: RTPChannel, by transport: PlainTransport) {
        switch transport {
        case .datagrams(let rtp, let rtcp):
            outputs.append(.datagram(packet, channel, to: id, port: channel == .rtp ? rtp : rtcp))
        case .interleaved(let rtp, let rtcp):
            send(RTSPMessage.interleaved(channel: channel == .rtp ? rtp : rtcp, packet).serialised())
        }
    }

    private func send(_ bytes: [UInt8]) {
        unsent.write(bytes.count, now: lastHeard)
        outputs.append(.send(id, bytes))
    }

    /// Requests that the driver accept the client's datagrams of a track from these ports.
    func listen(_ track: PlainTrack, rtp: UInt16, rtcp: UInt16) {
        outputs.append(.listen(to: id, track, rtp: rtp, rtcp: rtcp))
    }
    func stopListening(_ track: PlainTrack) { outputs.append(.stopListening(track)) }

    func emit(_ event: Event) { outputs.append(.event(event)) }

    /// Closes the connection after all queued outputs.
    func close() { isClosing = true }

    func pollOutputs() -> [RTSPServerOutput<Event>] {
        defer {
            outputs.removeAll(keepingCapacity: true)
            isClosing = false
        }
        return isClosing ? outputs + [.close(id)] : outputs
    }
}
