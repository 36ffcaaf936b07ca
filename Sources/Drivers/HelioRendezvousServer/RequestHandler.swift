internal import HelioCore
internal import HelioLoop
internal import HelioSignaling
internal import HelioTLS
internal import NIOCore
internal import NIOHTTP1

/// Answers the only request of a connection: with a text and its end, or by handing it over to a `DeviceSocket`.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    let id: ConnectionID
    /// The address of the connection's other end: the device's, or that of a proxy in front of it.
    let peer: IPAddress?
    private unowned let core: ServiceCore
    private let began: UInt64
    private var context: ChannelHandlerContext?
    private var request: HTTPRequestHead?
    private var isDeaf = false

    init(_ id: ConnectionID, from peer: IPAddress?, _ core: ServiceCore) {
        self.id = id
        self.peer = peer
        self.core = core
        began = core.ticks
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
        core.ended(self)
        context.fireChannelInactive()
    }

    /// Ends a connection whose request has not arrived, or whose answer was not read, in time.
    func tick() {
        guard core.ticks - began >= core.requestTicks else { return }
        if !isDeaf { core.drop(.slowRequest) }
        isDeaf = true
        core.abort(context)
    }

    func stop() { core.abort(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDeaf { return }
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        // No request has content, so don't wait for it.
        case .body:
            isDeaf = true
            send(.refused(.payloadTooLarge, .malformedRequest), context)
        case .end:
            guard let request else { return }
            isDeaf = true
            let forwarded = ForwardedRequest(request.headers, from: peer, proxies: core.settings.proxies)
            send(core.answer(to: request, from: self, forwarded), context)
        }
    }

    private func send(_ answer: ServiceAnswer, _ context: ChannelHandlerContext) {
        switch answer {
        case .webSocket:
            guard let request else { return }
            let forwarded = ForwardedRequest(request.headers, from: peer, proxies: core.settings.proxies)
            core.upgrade(self, request, forwarded, context)
        case .file(let answer):
            core.answered(nil)
            send(answer.status, answer.headers, answer.content, context)
        case .text(let status, let text, let type, let drop):
            core.answered(drop)
            let body = ByteBuffer(string: text)
            var headers: HTTPHeaders = [
                "Content-Type": type, "Content-Length": "\(body.readableBytes)", "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            ]
            if drop == .tooFast { headers.add(name: "Retry-After", value: "5") }
            if drop == .tooMuchAsked { headers.add(name: "Retry-After", value: "60") }
            if drop == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
            send(status, headers, request?.method == .HEAD ? ByteBuffer() : body, context)
        }
    }

    private func send(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: ByteBuffer, _ context: ChannelHandlerContext
    ) {
        var head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        head.headers.add(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        let sent = context.eventLoop.makePromise(of: Void.self)
        // The sending side is closed first: if the whole connection were closed with a part of the request unread, the
        // system would discard the answer (RFC 9112 section 9.6).
        sent.futureResult.assumeIsolated().whenSuccess { context.close(mode: .output, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isDeaf { return context.close(promise: nil) }
        isDeaf = true
        switch error {
        case TLSError.truncated, TLSError.endedEarly: break
        case is TLSError: core.drop(.tlsFailed)
        case is HTTPParserError:
            // The parser reports this error, too, if the client disconnects in the middle of a request.
            if context.channel.isActive { return send(.refused(.badRequest, .malformedRequest), context) }
        default: break
        }
        context.close(promise: nil)
    }
}
