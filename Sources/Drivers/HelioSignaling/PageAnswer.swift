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
    /// True where the connection is closed after it.
    var closes: Bool
    /// The reason to count it under, where it is a refusal.
    var drop: SignalingDrop?
}
