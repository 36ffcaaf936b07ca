internal import HelioCore
internal import HelioRTSP

/// A client's requests to another program's server, one after the other, with digest authentication where the server
/// asks for it.
struct ServerDialogue {
    enum Heard {
        /// The answer to what was asked last.
        case answer
        /// The server wants credentials: the request once more, to be sent.
        case again([UInt8])
        /// A 1xx: the answer takes time.
        case provisional
        /// A response that nobody waits for.
        case stray
    }

    /// As the server named it; every request bears it.
    var session: RTSPSessionHeader?
    private var authentication: PlaybackAuthentication
    private var nextCSeq: UInt32 = 1
    private var pending: PlaybackRequest?

    init(_ authentication: PlaybackAuthentication) { self.authentication = authentication }

    /// Whether the last request has no answer yet.
    var isWaiting: Bool { pending != nil }

    /// The next request, to be sent; nobody waits for an earlier one's answer any more.
    mutating func request(
        _ method: RTSPMethod, _ uri: String, headers: RTSPHeaders = [:], body: [UInt8] = []
    ) throws(HelioError) -> [UInt8] {
        try serialise(PlaybackRequest(method: method, uri: uri, headers: headers, body: body))
    }

    private mutating func serialise(_ request: PlaybackRequest) throws(HelioError) -> [UInt8] {
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
            throw HelioError(.systemFailed, "The answer to the server's challenge can't be made: \(error).")
        }
        pending = request
        return RTSPRequest(request.method, uri: request.uri, headers: headers, body: request.body).serialised()
    }

    /// Takes a response.
    ///
    /// Throws `refused` where the server does not take the credentials, or wants them in a way that is not safe.
    mutating func hear(
        _ response: RTSPResponse, using random: inout some RandomNumberGenerator
    ) throws(HelioError) -> Heard {
        guard response.status.code >= 200 else { return .provisional }
        guard var request = pending, response.headers["CSeq"] == nil || response.headers.sequence == request.sequence
        else { return .stray }
        pending = nil
        if response.status == .unauthorized {
            if let error = authentication.challenged(response, answered: request.answered, using: &random) {
                throw error
            }
            request.isAuthorized = false
            return .again(try serialise(request))
        }
        if request.isAuthorized { authentication.accepted() }
        return .answer
    }

    /// The session is over, and nobody waits for an answer any more.
    mutating func forget() {
        pending = nil
        session = nil
    }
}
