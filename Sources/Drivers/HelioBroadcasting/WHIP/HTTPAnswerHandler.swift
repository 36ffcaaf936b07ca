import HelioBroadcast
import NIOCore
import NIOHTTP1

/// Collects the answer to one HTTP request, up to `WHIPResponse.maximumBody` bytes.
final class HTTPAnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private enum Flaw: Error {
        case tooLarge
    }

    private var response: WHIPResponse?
    private var failure: (any Error)?
    /// The completion handler; `nil` once it was called.
    private var done: ((Result<WHIPResponse, any Error>) -> Void)?

    /// - Parameter done: called once, on the loop.
    init(done: @escaping (Result<WHIPResponse, any Error>) -> Void) { self.done = done }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            response = WHIPResponse(
                status: Int(head.status.code), fields: head.headers.map { HTTPField($0.name, $0.value) }, body: [])
        case .body(let bytes):
            guard let count = response?.body.count, count + bytes.readableBytes <= WHIPResponse.maximumBody else {
                failure = Flaw.tooLarge
                return context.close(promise: nil)
            }
            response?.body += Array(buffer: bytes)
        case .end:
            if let response { finish(.success(response)) }
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? error
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(failure ?? ChannelError.eof))
        context.fireChannelInactive()
    }

    private func finish(_ result: Result<WHIPResponse, any Error>) {
        let done = done
        self.done = nil
        done?(result)
    }
}
