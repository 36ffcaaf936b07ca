internal import HelioCore
internal import HelioRTSP

/// Why a server does not take a stream, and what to do about it. Of the server's own words none is repeated but an
/// address.
struct PublicationRefusal {
    var error: HelioError
    /// It may take it later: somebody else's stream may end, say.
    var passes: Bool
    /// How long to wait, where the server says it.
    var retryAfter: Duration?

    /// Of what the server says at most this is waited for.
    private static let longestWait = 60

    /// - Parameter what: what the request was for: 'to announce the stream'.
    init(_ response: RTSPResponse, _ what: String) {
        let code = response.status.code
        func refused(_ message: String) -> HelioError { HelioError(.refused, message) }
        passes = false
        switch code {
        case 300..<400: error = PlaybackRefusal.moved(response.headers)
        case 403: error = refused("The server lets nobody with this name or address publish.")
        case 404: error = refused("The server takes no stream of this name: look at the path in the address.")
        case 405, 501:
            error = HelioError(.unsupported, "The server takes no streams (\(code)): it only plays its own.")
        case 415:
            error = HelioError(
                .unsupported, "The server takes no stream of this kind (415): try another codec.")
        case 455:
            error = refused("The server takes no stream there now (455): does another program publish to it?")
            passes = true
        case 453, 503:
            error = refused("The server is busy (\(code)): does another program publish there?")
            passes = true
            if let text = response.headers["Retry-After"], let seconds = Int(text), seconds > 0 {
                retryAfter = .seconds(min(seconds, Self.longestWait))
            }
        default:
            error = refused("The server refuses \(what) (\(code)).")
            // The server's own trouble may be mended.
            passes = code >= 500 && code != 505 && code != 551
        }
    }

    init(_ code: HelioError.Code, _ message: String) {
        error = HelioError(code, message)
        passes = false
    }
}
