internal import NIOCore
internal import NIOHTTP1

/// What a request gets.
enum PageAnswer {
    case page(PageResponse)
    /// It is one for a WebSocket, and may have it.
    case webSocket
}

struct PageResponse {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var content: ByteBuffer
    /// The connection is of no more use.
    var closes: Bool
    /// What it counts as, where it is a refusal.
    var drop: SignalingDrop?
}
