package import NIOCore

/// The TLS layer of a connection: passes plain bytes to and from the handlers behind it, and TLS records to and from
/// the socket.
///
/// - Bytes written between two flushes are sent as one write. Bytes written before the end of the handshake are queued.
/// - `TLSEvent.handshakeCompleted` reports the end of the handshake; a `TLSError` reports its failure, or later the end
///   of the connection.
/// - `close()` sends close_notify and waits up to 5 s for the peer's; data that arrives meanwhile is dropped.
///   `close(mode: .output)` sends close_notify and continues to read. The peer's close_notify closes the connection.
///
/// A handler nearer to the socket can close the connection at once. The TLS handler has no deadline for the handshake.
package final class TLSHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private enum State {
        case idle, handshaking, open
        /// This end has sent close_notify, and waits for the peer's.
        case closing
        case over
    }

    /// The maximum number of bytes that may be written before the end of the handshake.
    package static let mostWaiting = 1 << 20
    /// The maximum number of bytes of TLS's own answers queued for a peer that does not read, far more than an ordinary
    /// peer causes.
    private static let mostHeld = 16 << 10
    private static let farewellTime: TimeAmount = .seconds(5)

    private let stream: TLSStream
    private var state = State.idle
    private var hasEndedOutput = false
    private var hasPeerEnded = false
    /// The writes that are queued until the end of the handshake.
    private var waiting: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    private var waitingCount = 0
    /// The promises of bytes that are encrypted, but not yet written to the socket.
    private var promises: [EventLoopPromise<Void>] = []
    /// The bytes of TLS's own answers that are held back because the peer does not read.
    private var held = 0
    private var closing: EventLoopPromise<Void>?
    private var farewell: Scheduled<Void>?
    /// True if a read was requested, and no plain data has arrived since.
    private var isReadWanted = false

    init(_ stream: TLSStream) {
        self.stream = stream
    }

    // MARK: Lifecycle

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        state = .over
        drop(ChannelError.ioOnClosedChannel)
    }

    package func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        let error: TLSError? =
            switch state {
            case .handshaking: .endedEarly
            case .open where !hasPeerEnded: .truncated
            default: nil
            }
        state = .over
        drop(error ?? ChannelError.ioOnClosedChannel)
        takeClosing()?.succeed()
        if let error { context.fireErrorCaught(error) }
        context.fireChannelInactive()
    }

    private func start(_ context: ChannelHandlerContext) {
        guard case .idle = state else { return }
        state = .handshaking
        // A server waits for the client's first message.
        if stream.role == .client { shakeHands(context) }
    }

    private func shakeHands(_ context: ChannelHandlerContext) {
        switch stream.shakeHands() {
        case .done: opened(context)
        case .starved: emit(context)
        case .closed: fail(.endedEarly, context)
        case .failed(let error): fail(error, context)
        }
    }

    private func opened(_ context: ChannelHandlerContext) {
        state = .open
        let early = waiting
        waiting = []
        for (bytes, promise) in early { encrypt(bytes, promise, context) }
        emit(context)
        // Encrypting the queued writes may have failed.
        guard case .open = state else { return }
        context.fireUserInboundEventTriggered(TLSEvent.handshakeCompleted)
        // Application data may have arrived together with the end of the handshake.
        if stream.hasInput { decrypt(context) }
    }

    /// Ends the connection with a TLS error, and sends an alert to the peer.
    private func fail(_ error: TLSError, _ context: ChannelHandlerContext) {
        if case .over = state { return }
        state = .over
        emit(context)
        drop(error)
        context.fireErrorCaught(error)
        context.close(promise: takeClosing())
    }

    /// Fails all writes that were not yet written to the socket.
    private func drop(_ error: any Error) {
        farewell?.cancel()
        let lost = waiting.compactMap(\.promise) + promises
        waiting = []
        promises = []
        for promise in lost { promise.fail(error) }
    }

    private func takeClosing() -> EventLoopPromise<Void>? {
        defer { closing = nil }
        return closing
    }

    // MARK: Incoming

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        start(context)
        if case .over = state { return }
        stream.receive(unwrapInboundIn(data))
        if case .handshaking = state { shakeHands(context) } else { decrypt(context) }
    }

    private func decrypt(_ context: ChannelHandlerContext) {
        let before = stream.outputCount
        let (plain, end) = stream.read(context.channel.allocator)
        answer(stream.outputCount - before, context)
        if case .open = state, plain.readableBytes > 0 {
            isReadWanted = false
            context.fireChannelRead(wrapInboundOut(plain))
        }
        switch end {
        case .done, .starved: break
        case .closed: peerEnded(context)
        case .failed(let error): fail(error, context)
        }
    }

    /// Sends TLS's own answers to the input, such as key updates; holds them back while the peer does not read.
    private func answer(_ count: Int, _ context: ChannelHandlerContext) {
        if count == 0 { return }
        if context.channel.isWritable { return emit(context) }
        held += count
        if held > Self.mostHeld { fail(.flooded, context) }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if held > 0, context.channel.isWritable { emit(context) }
        context.fireChannelWritabilityChanged()
    }

    private func peerEnded(_ context: ChannelHandlerContext) {
        hasPeerEnded = true
        if case .over = state { return }
        sayGoodbye()
        emit(context)
        state = .over
        drop(ChannelError.ioOnClosedChannel)
        context.close(promise: takeClosing())
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        switch state {
        case .handshaking, .closing: context.read()
        // An incomplete record does not satisfy the requested read.
        case .open where isReadWanted: context.read()
        default: break
        }
    }

    package func read(context: ChannelHandlerContext) {
        isReadWanted = true
        context.read()
    }

    // MARK: Outgoing

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        switch state {
        case .idle, .handshaking:
            guard waitingCount + bytes.readableBytes <= Self.mostWaiting else {
                promise?.fail(TLSError.tooMuchWaiting)
                return
            }
            waitingCount += bytes.readableBytes
            waiting.append((bytes, promise))
        case .open, .closing, .over: encrypt(bytes, promise, context)
        }
    }

    private func encrypt(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        guard case .open = state else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        guard !hasEndedOutput else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        if let promise { promises.append(promise) }
        if case .failed(let error) = stream.write(bytes) { fail(error, context) }
    }

    package func flush(context: ChannelHandlerContext) { emit(context) }

    /// Writes all encrypted bytes to the socket, as one write.
    private func emit(_ context: ChannelHandlerContext) {
        guard stream.outputCount > 0 || !promises.isEmpty else { return }
        let written = promises.first
        for promise in promises.dropFirst() { written?.futureResult.cascade(to: promise) }
        promises = []
        held = 0
        context.writeAndFlush(wrapOutboundOut(stream.takeOutput()), promise: written)
    }

    // MARK: Closing

    private func sayGoodbye() {
        guard !hasEndedOutput else { return }
        hasEndedOutput = true
        stream.end()
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch (mode, state) {
        case (.input, _): promise?.fail(ChannelError.operationUnsupported)
        case (_, .idle), (_, .handshaking), (_, .over):
            state = .over
            drop(ChannelError.ioOnClosedChannel)
            context.close(mode: mode, promise: promise)
        case (_, .closing): join(promise)
        case (.output, .open):
            sayGoodbye()
            emit(context)
            context.close(mode: .output, promise: promise)
        case (.all, .open):
            sayGoodbye()
            state = .closing
            join(promise)
            emit(context)
            waitForFarewell(context)
        }
    }

    private func join(_ promise: EventLoopPromise<Void>?) {
        if let closing {
            closing.futureResult.cascade(to: promise)
        } else {
            closing = promise
        }
    }

    private func waitForFarewell(_ context: ChannelHandlerContext) {
        // Sending close_notify may have failed, and closed the connection.
        guard case .closing = state else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        farewell = context.eventLoop.scheduleTask(in: Self.farewellTime) {
            let (handler, context) = bound.value
            handler.state = .over
            context.close(promise: handler.takeClosing())
        }
        context.read()
    }
}
