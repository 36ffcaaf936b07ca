internal import HelioSignaling
internal import NIOHTTP1

/// The answer to one request.
enum ServiceAnswer {
    /// A text, and the refusal that it expresses, if any.
    case text(HTTPResponseStatus, String, type: String, RendezvousServiceDrop?)
    /// A file of the page for browsers.
    case file(PageFolder.Answer)
    /// The device's WebSocket.
    case webSocket

    static let plain = "text/plain; charset=utf-8"
    /// The type of Prometheus' text format, version 0.0.4.
    static let metrics = "text/plain; version=0.0.4; charset=utf-8"

    static func refused(_ status: HTTPResponseStatus, _ drop: RendezvousServiceDrop) -> ServiceAnswer {
        .text(status, "\(status.code) \(status.reasonPhrase)\n", type: plain, drop)
    }
}
