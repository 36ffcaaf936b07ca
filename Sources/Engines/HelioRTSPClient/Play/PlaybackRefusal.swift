internal import HelioCore
internal import HelioRTSP
internal import HelioSession

/// Why a foreign server's stream can't be played, and what to do about it. Of the server's own words none is repeated but
/// an address, and that without what may be secret in it.
enum PlaybackRefusal {
    /// - Parameter what: what the request was for: 'to play the stream'.
    static func error(_ response: RTSPResponse, _ what: String) -> HelioError {
        switch response.status.code {
        case 300..<400: moved(response.headers)
        case 404: HelioError(.refused, "The server has no stream of this name: look at the path in the address.")
        case 403: HelioError(.refused, "The server lets nobody with this name or address watch.")
        case 453, 503: HelioError(.refused, "The server is busy (\(response.status.code)): try again later.")
        default: HelioError(.refused, "The server refuses \(what) (\(response.status.code)).")
        }
    }

    /// Not followed: nobody is to be led to another machine, least of all with a password.
    static func moved(_ headers: RTSPHeaders) -> HelioError {
        let place = headers["Location"].flatMap { try? RTSPAddress(parsing: $0).uri }.flatMap {
            $0.utf8.count <= 200 ? " to \($0)" : nil
        }
        return HelioError(
            .refused, "The stream has moved\(place ?? ""): if you trust that, give that address instead.")
    }

    static func unplayable(_ failure: ForeignDescription.Failure) -> HelioError {
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
