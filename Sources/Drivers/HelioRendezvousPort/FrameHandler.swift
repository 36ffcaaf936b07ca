internal import HelioCore
internal import HelioLoop
internal import NIOCore
internal import NIOWebSocket

/// Implements the WebSocket protocol (RFC 6455) for a client: sends and receives whole binary messages, within limits.
final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let settings: RendezvousPortSettings
    private let ready: () -> Void
    private let received: ([UInt8]) -> Void
    private let failed: (RendezvousPortDrop) -> Void
    private var assembly: MessageAssembly
    private var context: ChannelHandlerContext?
    private var isClosing = false
    private var waitingBytes = 0
    private var pings: RepeatedTask?
    private var pingNumber: UInt32 = 0
    private var isAnswered = true

    /// - Parameters:
    ///   - longestMessage: the most bytes in a message of the server.
    ///   - ready: called once the handler is in place, and can send.
    ///   - received: called with each message.
    ///   - failed: called once if the connection has to be given up; has to close it.
    init(
        _ settings: RendezvousPortSettings, longestMessage: Int, ready: @escaping () -> Void,
        received: @escaping ([UInt8]) -> Void, failed: @escaping (RendezvousPortDrop) -> Void
    ) {
        self.settings = settings
        self.ready = ready
        self.received = received
        self.failed = failed
        assembly = MessageAssembly(maximumSize: longestMessage)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let interval = TimeAmount.nanoseconds(settings.pingInterval.nanoseconds)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        pings = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            bound.value.ping()
        }
        ready()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        pings?.cancel()
        pings = nil
        self.context = nil
    }

    // MARK: Outgoing

    /// Sends a message. Returns false if it was dropped because too much waits.
    ///
    /// - Parameter isDatagram: true if the message may be dropped while the connection lasts.
    func send(_ message: [UInt8], isDatagram: Bool) -> Bool {
        if isClosing { return true }
        if isDatagram, waitingBytes + message.count > settings.maximumWaitingForData { return false }
        write(.binary, ByteBuffer(bytes: message))
        return true
    }

    /// Sends a close frame; the connection ends when the server has answered.
    func close() {
        if isClosing { return }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: .normalClosure)
        write(.connectionClose, data)
        isClosing = true
        pings?.cancel()
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        guard let context else { return }
        let size = data.readableBytes
        guard waitingBytes + size <= settings.maximumWaiting else { return fail(.unread) }
        waitingBytes += size
        let written = context.eventLoop.makePromise(of: Void.self)
        // After a failed write the count needs no correction, as the connection is closed then.
        written.futureResult.assumeIsolated().whenSuccess { [self] in waitingBytes -= size }
        // A client's frames are masked with an unpredictable key (RFC 6455 section 5.3).
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: written)
    }

    private func ping() {
        guard isAnswered else { return fail(.silent) }
        isAnswered = false
        pingNumber &+= 1
        write(.ping, ByteBuffer(integer: pingNumber))
    }

    private func fail(_ drop: RendezvousPortDrop) {
        if isClosing { return }
        isClosing = true
        pings?.cancel()
        failed(drop)
    }

    // MARK: Incoming

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if isClosing {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        // A server's frames are not masked (RFC 6455 section 5.1).
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3, frame.maskKey == nil else { return fail(.malformedFrame) }
        // Any frame shows that the server is there.
        isAnswered = true
        switch frame.opcode {
        case .binary: take(frame.data, isFirst: true, isLast: frame.fin)
        case .continuation: take(frame.data, isFirst: false, isLast: frame.fin)
        case .text: fail(.textMessage)
        case .ping: write(.pong, frame.data)
        case .pong: break
        case .connectionClose:
            var code = frame.data
            code = code.readSlice(length: min(2, code.readableBytes)) ?? ByteBuffer()
            write(.connectionClose, code)
            isClosing = true
            pings?.cancel()
            context.close(promise: nil)
        default: fail(.malformedFrame)
        }
    }

    private func take(_ piece: ByteBuffer, isFirst: Bool, isLast: Bool) {
        let message: [UInt8]?
        do throws(MessageAssembly.Failure) {
            message = try assembly.take(piece, isFirst: isFirst, isLast: isLast)
        } catch {
            return fail(.malformedFrame)
        }
        if let message { received(message) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is NIOWebSocketError { return fail(.malformedFrame) }
        context.fireErrorCaught(error)
    }
}
