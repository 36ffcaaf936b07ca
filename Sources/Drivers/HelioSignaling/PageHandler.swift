internal import NIOCore
internal import NIOHTTP1

/// Answers the requests of one connection, one after the other. A request for a WebSocket hands the connection over to
/// a `WebSocketHandler`.
final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Request {
        case whole(HTTPRequestHead)
        case unreadable(any Error)
    }

    /// The maximum number of requests queued while another is being answered. Browsers queue none.
    private static let maximumWaiting = 8

    private let core: SignalingCore
    private let connection: LocalConnection
    private var arriving: HTTPRequestHead?
    private var waiting: [Request] = []
    private var isAnswering = false
    /// True if further input is ignored.
    private var isDeaf = false

    init(_ core: SignalingCore, _ connection: LocalConnection) {
        self.core = core
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDeaf { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if PageSite.hasContent(head) {
                // A request with content is refused in any case, so don't wait for the content.
                isDeaf = true
                take(.whole(head), context)
            } else {
                arriving = head
            }
        case .body: break
        case .end:
            guard let head = arriving else { return }
            arriving = nil
            take(.whole(head), context)
        }
    }

    private func take(_ request: Request, _ context: ChannelHandlerContext) {
        guard waiting.count < Self.maximumWaiting else {
            core.drop(.tooManyRequests)
            isDeaf = true
            return connection.abort()
        }
        waiting.append(request)
        answerNext(context)
    }

    private func answerNext(_ context: ChannelHandlerContext) {
        guard !isAnswering, !waiting.isEmpty else { return }
        isAnswering = true
        connection.limit(core.settings.answerTimeout) { [core, connection] in
            core.drop(.unread)
            connection.abort()
        }
        let site = core.site(for: connection)
        switch waiting.removeFirst() {
        case .unreadable(let error): answer(site.answer(toUnreadable: error), nil, context)
        case .whole(let head):
            let forwarded = core.forwarded(head, by: connection)
            if let client = forwarded?.client { connection.comes(from: client) }
            answer(affordable(site.answer(to: head, forwarded: forwarded), site), head, context)
        }
    }

    /// Returns the answer, or a refusal if it exceeds the client's `PageBudget`.
    private func affordable(_ answer: PageAnswer, _ site: PageSite) -> PageAnswer {
        switch answer {
        case .page(let response):
            core.mayAnswer(response.content.readableBytes, to: connection) ? answer : site.answerTooMuch()
        case .webSocket: core.mayBegin(connection) ? answer : site.answerTooFast()
        }
    }

    private func answer(_ answer: PageAnswer, _ request: HTTPRequestHead?, _ context: ChannelHandlerContext) {
        switch answer {
        case .page(let response): send(response, to: request?.method, context)
        case .webSocket:
            guard let request, waiting.isEmpty else {
                core.drop(.tooManyRequests)
                isDeaf = true
                return context.close(promise: nil)
            }
            isDeaf = true
            core.upgrade(connection, request, context, instead: self)
        }
    }

    private func send(_ response: PageResponse, to method: HTTPMethod?, _ context: ChannelHandlerContext) {
        core.answered(response.drop)
        var head = HTTPResponseHead(version: .http1_1, status: response.status, headers: response.headers)
        if response.closes {
            isDeaf = true
            waiting = []
            head.headers.add(name: "Connection", value: "close")
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if response.content.readableBytes > 0, method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(response.content))), promise: nil)
        }
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { [self] in
            if response.closes { return linger(context) }
            isAnswering = false
            // A client that requests nothing more after the page is not counted as a drop.
            connection.limit(core.settings.requestTimeout) {}
            answerNext(context)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    /// Closes the sending side, and the whole connection after `closeTimeout`. If it were closed at once, with a part
    /// of the request unread, the system would discard the answer (RFC 9112 section 9.6).
    private func linger(_ context: ChannelHandlerContext) {
        connection.limit(core.settings.closeTimeout) {}
        context.close(mode: .output, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError {
            // The parser reports this error, too, if the client disconnects in the middle of a request.
            guard !isDeaf, context.channel.isActive else { return }
            isDeaf = true
            return take(.unreadable(error), context)
        }
        // Further unreadable input, while the answer to the first is on its way, is ignored.
        if isDeaf, case .dataReceivedInErrorState? = error as? ByteToMessageDecoderError { return }
        isDeaf = true
        core.failed(error, of: connection)
        context.close(promise: nil)
    }
}
