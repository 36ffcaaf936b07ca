internal import HelioCore
internal import HelioLoop
internal import HelioTLS
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Requests a WebSocket (RFC 6455 section 4.1) once the connection is ready, and replaces the handlers of HTTP by those
/// of WebSockets when the server agrees.
final class WebSocketOpening: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// The answer is no WebSocket's.
    struct Refused: Error {
        let status: UInt
    }

    private let place: RendezvousPlace
    private let longestFrame: Int
    private let upgrader: NIOWebSocketClientUpgrader
    private let key: String
    private let makeHandler: () -> any ChannelHandler
    private var state = State.new
    /// The bytes that the server has sent behind its answer.
    private var early: [NIOAny] = []

    private enum State {
        case new
        case asked
        /// The server agrees; its answer is not yet at its end.
        case agreed
        /// The handlers of HTTP are being removed; what arrives is no HTTP.
        case replacing
        case done
    }

    /// - Parameters:
    ///   - longestFrame: the most bytes in a frame of the server.
    ///   - makeHandler: called once the WebSocket is open; makes the handler of its frames.
    init(_ place: RendezvousPlace, longestFrame: Int, makeHandler: @escaping () -> any ChannelHandler) {
        self.place = place
        self.longestFrame = longestFrame
        self.makeHandler = makeHandler
        key = NIOWebSocketClientUpgrader.randomRequestKey()
        // The upgrader only checks the answer to its key.
        upgrader = NIOWebSocketClientUpgrader(
            requestKey: key, upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive, !place.isSecure { ask(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        if !place.isSecure { ask(context) }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSEvent { ask(context) }
        context.fireUserInboundEventTriggered(event)
    }

    private func ask(_ context: ChannelHandlerContext) {
        guard case .new = state else { return }
        state = .asked
        let headers: HTTPHeaders = [
            "Host": place.hostField, "User-Agent": "Heliograph/\(HeliographVersion.text)", "Upgrade": "websocket",
            "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key,
        ]
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: place.path, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .replacing: return early.append(data)
        case .done: return context.fireChannelRead(data)
        case .new, .asked, .agreed: break
        }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.status == .switchingProtocols, upgrader.shouldAllowUpgrade(upgradeResponse: head) else {
                return refuse(context, Refused(status: head.status.code))
            }
            state = .agreed
        case .body: break
        case .end:
            guard case .agreed = state else { return }
            do { try replace(context) } catch { refuse(context, error) }
        }
    }

    private func refuse(_ context: ChannelHandlerContext, _ error: any Error) {
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func replace(_ context: ChannelHandlerContext) throws {
        state = .replacing
        let operations = context.pipeline.syncOperations
        operations.removeHandler(context: try operations.context(handlerType: HTTPRequestEncoder.self), promise: nil)
        let decoder = try operations.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
        let removed = context.eventLoop.makePromise(of: Void.self)
        // The decoder passes on the bytes behind the answer before it is gone, and takes what is written for requests
        // until then: so nothing may be written before.
        removed.futureResult.assumeIsolated().whenComplete { [self] _ in
            do { try begin(context) } catch { refuse(context, error) }
        }
        operations.removeHandler(context: decoder, promise: removed)
    }

    private func begin(_ context: ChannelHandlerContext) throws {
        guard context.channel.isActive else { return }
        state = .done
        let operations = context.pipeline.syncOperations
        try operations.addHandlers(
            [
                WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: longestFrame)),
                makeHandler(),
            ], position: .after(self))
        for data in early { context.fireChannelRead(data) }
        early = []
        operations.removeHandler(self, promise: nil)
    }
}
