import HelioAdmission
import HelioCore
import HelioRTP
import HelioRTSP

/// A connection to a server of ours: parses the received bytes into messages, keeps the outputs, and holds the
/// session's identifier.
final class ServerConnection<Event> {
    let id: ConnectionID
    /// The address of the client's machine.
    let address: String
    /// When the client was last heard.
    var lastHeard: Instant
    /// The digest admission; `nil` admits every request.
    var admission: DigestAdmission?
    /// The bytes that the system has not taken yet.
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

    /// The next message; `nil` until more bytes come, or while the client does not read its answers.
    func next() throws(RTSPParseError) -> RTSPMessage? { unsent.isTooMuch ? nil : try parser.next() }

    /// The number of received bytes that were not parsed yet.
    var unread: Int { parser.bufferedByteCount }

    /// Records that the system has taken `count` bytes.
    func wrote(_ count: Int, now: Instant) { unsent.taken(count, now: now) }

    // MARK: The session's identifier

    /// Begins a session if there is none.
    func beginSession(_ server: ServerState) {
        if sessionID == nil { sessionID = server.makeSessionID() }
    }

    func endSession() { sessionID = nil }

    /// Returns whether a request names no session, or the present one.
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

    /// Answers GET_PARAMETER or SET_PARAMETER. There are no parameters: an empty request keeps the session alive (RFC
    /// 2326 section 10.8).
    func respondToParameters(_ request: RTSPRequest) {
        guard request.body.isEmpty else {
            return respond(
                .parameterNotUnderstood, to: request, ["Content-Type": "text/parameters"], body: request.body)
        }
        respond(.ok, to: request, sessionID == nil ? [:] : ["Session": sessionHeader])
    }

    /// Sends a packet of a stream by the agreed transport.
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

    /// Has the driver accept the client's datagrams of a track from these ports.
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
