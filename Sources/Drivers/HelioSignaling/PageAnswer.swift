internal import NIOCore
internal import NIOHTTP1

/// The answer to an HTTP request: a response, or the upgrade to a WebSocket.
enum PageAnswer {
    case page(PageResponse)
    /// The connection becomes a WebSocket.
    case webSocket
}

struct PageResponse {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var content: ByteBuffer
    /// True if the connection is closed after this response.
    var closes: Bool
    /// The reason under which a refusal is counted; `nil` for other responses.
    var drop: SignalingDrop?
}
