internal import NIOCore
internal import NIOHTTP1

/// The answer to a request.
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
