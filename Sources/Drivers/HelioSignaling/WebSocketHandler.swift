internal import HelioCore
internal import HelioGround
internal import HelioLoop
internal import NIOCore
internal import NIOPosix
internal import NIOWebSocket

/// Implements the WebSocket protocol (RFC 6455) for one browser: sends and receives whole text messages, within the
/// service's limits.
final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let core: SignalingCore
    private let connection: LocalConnection
    private var assembly: MessageAssembly
    private var allowance: TokenBucket
    private var context: ChannelHandlerContext?
    /// True once the close frame is sent: nothing follows it, and further input is ignored.
    private var isClosing = false
    private var waitingBytes = 0
    private var pings: RepeatedTask?
    private var pingNumber: UInt32 = 0
    private var isAnswered = true

    init(_ core: SignalingCore, _ connection: LocalConnection) {
        self.core = core
        self.connection = connection
        assembly = MessageAssembly(maximumSize: core.settings.maximumMessage)
        allowance = TokenBucket(burst: core.settings.messageBurst, perSecond: core.settings.messagesPerSecond)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let interval = TimeAmount.nanoseconds(core.settings.pingInterval.nanoseconds)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        pings = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            bound.value.ping()
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        pings?.cancel()
        self.context = nil
    }

    // MARK: Outgoing messages

    func send(_ message: [UInt8]) {
        if isClosing { return }
        core.statistics.messagesSent += 1
        write(.text, ByteBuffer(bytes: message))
    }

    /// Sends the close code and reason, waits up to `closeTimeout` for the client's answer, and closes the connection.
    func close(_ code: WebSocketErrorCode, reason: String) {
        if isClosing { return }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        data.writeString(reason)
        write(.connectionClose, data)
        beginClosing()
    }

    private func beginClosing() {
        isClosing = true
        pings?.cancel()
        connection.limit(core.settings.closeTimeout) {}
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        guard let context else { return }
        let size = data.readableBytes
        guard waitingBytes + size <= core.settings.maximumWaiting else {
            isClosing = true
            core.drop(.unread)
            return connection.abort()
        }
        waitingBytes += size
        let written = context.eventLoop.makePromise(of: Void.self)
        // After a failed write the count needs no correction, as the connection is closed then.
        written.futureResult.assumeIsolated().whenSuccess { [self] in waitingBytes -= size }
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: written)
    }

    private func ping() {
        guard isAnswered else {
            isClosing = true
            core.drop(.silent)
            return connection.abort()
        }
        isAnswered = false
        pingNumber &+= 1
        write(.ping, ByteBuffer(integer: pingNumber))
    }

    // MARK: Incoming frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if isClosing {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return fail(.malformedFrame, .protocolError) }
        guard frame.maskKey != nil else { return fail(.unmaskedFrame, .protocolError) }
        let content = frame.unmaskedData
        if frame.opcode != .continuation, frame.opcode != .connectionClose {
            guard allowance.take(now: MonotonicClock.now) else {
                send(core.settings.floodNotice)
                return fail(.tooManyMessages, .policyViolation)
            }
        }
        switch frame.opcode {
        case .text: take(content, isFirst: true, isLast: frame.fin)
        case .continuation: take(content, isFirst: false, isLast: frame.fin)
        case .binary: fail(.binaryMessage, .unacceptableData)
        case .ping: write(.pong, content)
        case .pong: if content == ByteBuffer(integer: pingNumber) { isAnswered = true }
        case .connectionClose: answerClose(content)
        default: fail(.malformedFrame, .protocolError)
        }
    }

    private func take(_ piece: ByteBuffer, isFirst: Bool, isLast: Bool) {
        let message: [UInt8]
        do throws(MessageAssembly.Failure) {
            guard let whole = try assembly.take(piece, isFirst: isFirst, isLast: isLast) else { return }
            message = whole
        } catch {
            switch error {
            case .oversized: fail(.oversizedMessage, .messageTooLarge)
            case .tooManyPieces: fail(.tooManyMessages, .policyViolation)
            case .outOfOrder: fail(.malformedFrame, .protocolError)
            }
            return
        }
        guard String(validating: message, as: UTF8.self) != nil else {
            return fail(.malformedText, .dataInconsistentWithMessage)
        }
        core.statistics.messagesReceived += 1
        core.tell(.message(connection, message))
    }

    /// Answers a close frame with the same code; the server closes the connection first (RFC 6455 section 5.5.1).
    private func answerClose(_ content: ByteBuffer) {
        guard Self.isGoodbye(content) else { return fail(.malformedFrame, .protocolError) }
        write(.connectionClose, content.getSlice(at: content.readerIndex, length: min(2, content.readableBytes))!)
        beginClosing()
        context?.close(promise: nil)
    }

    /// True for a valid close payload: empty, or a valid code and UTF-8 text (RFC 6455 sections 5.5.1 and 7.4).
    private static func isGoodbye(_ content: ByteBuffer) -> Bool {
        var content = content
        if content.readableBytes == 0 { return true }
        guard let code = content.readInteger(as: UInt16.self) else { return false }
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: return false
        }
        return String(validating: content.readableBytesView, as: UTF8.self) != nil
    }

    private func fail(_ drop: SignalingDrop, _ code: WebSocketErrorCode) {
        core.drop(drop)
        close(code, reason: drop.rawValue)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Further violations are ignored while the close frame for the first one is on its way.
        if isClosing, error is NIOWebSocketError || error is ByteToMessageDecoderError { return }
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(.oversizedMessage, .messageTooLarge)
        case is NIOWebSocketError: fail(.malformedFrame, .protocolError)
        default:
            core.failed(error, of: connection)
            context.close(promise: nil)
        }
    }
}
