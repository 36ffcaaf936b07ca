import HelioCore
import HelioPlainRTP
import HelioRTSP

/// The user-facing error for a server that does not play or accept a stream. Its only text from the server is the
/// address of a redirection, without credentials.
struct ServerRefusal {
    var error: HelioError
    /// True if the server may accept the stream later, for example when another publisher's stream ends.
    var passes = false
    /// The wait that the server has requested by `Retry-After`; `nil` for none.
    var retryAfter: Duration?

    /// The upper limit of `retryAfter`, in seconds.
    private static let longestWait = 60

    init(_ error: HelioError) { self.error = error }

    /// - Parameters:
    ///   - what: the purpose of the request, for example 'to play the stream'.
    ///   - use: playing or recording.
    init(_ response: RTSPResponse, _ what: String, to use: PlainTransport.Use) {
        let code = response.status.code
        func refused(_ message: String) -> HelioError { HelioError(.refused, message) }
        let busy = "The server is busy (\(code)): "
        error = refused("The server refuses \(what) (\(code)).")
        switch (code, use) {
        case (300..<400, _): error = Self.moved(response.headers)
        case (404, .play): error = refused("The server has no stream of this name: look at the path in the address.")
        case (403, .play): error = refused("The server lets nobody with this name or address watch.")
        case (453, .play), (503, .play): error = refused(busy + "try again later.")
        case (_, .play): break
        case (403, .record): error = refused("The server lets nobody with this name or address publish.")
        case (404, .record):
            error = refused("The server takes no stream of this name: look at the path in the address.")
        case (405, .record), (501, .record):
            error = HelioError(.unsupported, "The server takes no streams (\(code)): it only plays its own.")
        case (415, .record):
            error = HelioError(.unsupported, "The server takes no stream of this kind (415): try another codec.")
        case (455, .record):
            error = refused("The server takes no stream there now (455): does another program publish to it?")
            passes = true
        case (453, .record), (503, .record):
            error = refused(busy + "does another program publish there?")
            passes = true
            if let text = response.headers["Retry-After"], let seconds = Int(text), seconds > 0 {
                retryAfter = .seconds(min(seconds, Self.longestWait))
            }
        // A server error may be temporary.
        case (_, .record): passes = code >= 500 && code != 505 && code != 551
        }
    }

    /// Makes the error for a redirection. Redirections are not followed, so that a server can't make the client connect
    /// to another host, possibly with a password.
    static func moved(_ headers: RTSPHeaders) -> HelioError {
        let place = headers["Location"].flatMap { try? RTSPAddress(parsing: $0).uri }.flatMap {
            $0.utf8.count <= 200 ? " to \($0)" : nil
        }
        return HelioError(
            .refused, "The stream has moved\(place ?? ""): if you trust that, give that address instead.")
    }

    static func unplayable(_ failure: PlainDescription.Failure) -> HelioError {
        switch failure {
        case .unreadable: HelioError(.protocolViolation, "The server's description of the stream can't be read.")
        case .noVideo: HelioError(.unsupported, "The stream has no video.")
        case .unsupported(let what):
            HelioError(
                .unsupported,
                "The stream's video is \(what): Heliograph plays H.264 and H.265 with 8 bits a sample, in 4:2:0 or "
                    + "4:4:4. Set the server to that.")
        }
    }
}
