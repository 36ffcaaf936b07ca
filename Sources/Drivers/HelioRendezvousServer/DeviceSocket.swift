internal import HelioCore
internal import HelioLoop
internal import NIOCore
internal import NIOWebSocket

/// The WebSocket of one device (RFC 6455): sends and receives whole binary messages, within the service's limits.
///
/// A server holds very many of these, nearly all idle: it has no timer and no closure of its own.
final class DeviceSocket: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The engine is told of the bytes that wait when these cross a multiple of 32 KiB.
    private static let waitingUnit = 32 << 10

    let id: ConnectionID
    private unowned let core: ServiceCore
    private var assembly: MessageAssembly
    private var context: ChannelHandlerContext?
    private var waitingBytes = 0
    /// The `waitingBytes` that the engine was told last, in units of `waitingUnit`.
    private var toldUnits = 0
    private var state = State.open
    /// The number of the tick of the core at which the device was last heard, or the WebSocket was opened.
    private var heard: UInt64
    private var isPinged = false

    private enum State {
        case open
        /// The close frame is sent at this tick; the device's answer is awaited.
        case closing(since: UInt64)
        /// The connection is being closed.
        case closed
    }

    init(_ id: ConnectionID, _ core: ServiceCore) {
        self.id = id
        self.core = core
        assembly = MessageAssembly(maximumSize: core.settings.maximumMessage)
        heard = core.ticks
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
        state = .closed
        core.closed(self)
        context.fireChannelInactive()
    }

    // MARK: Outgoing

    /// Sends a message.
    func send(_ message: [UInt8]) {
        guard case .open = state else { return }
        write(.binary, ByteBuffer(bytes: message))
    }

    /// Sends a close frame behind what was sent before, and waits a short time for the answer.
    func close(_ code: WebSocketErrorCode) {
        guard case .open = state else { return }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        write(.connectionClose, data)
        if case .open = state { state = .closing(since: core.ticks) }
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        guard let context else { return }
        let size = data.readableBytes
        guard waitingBytes + size <= core.settings.maximumWaiting else { return fail(.unread) }
        waitingBytes += size
        let written = context.eventLoop.makePromise(of: Void.self)
        // After a failed write the count needs no correction, as the connection is closed then.
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            waitingBytes -= size
            tellWaiting()
        }
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: written)
        tellWaiting()
    }

    private func tellWaiting() {
        let units = waitingBytes / Self.waitingUnit
        if units == toldUnits { return }
        toldUnits = units
        core.waits(self, bytes: waitingBytes)
    }

    /// Resets the connection, with what waits in the system for a device that does not read.
    private func fail(_ drop: RendezvousServiceDrop) {
        if case .closed = state { return }
        state = .closed
        core.drop(drop)
        core.abort(context)
    }

    /// Ends a connection that has broken the protocol, with a close frame.
    private func refuse(_ drop: RendezvousServiceDrop, _ code: WebSocketErrorCode) {
        guard case .open = state else { return }
        core.drop(drop)
        close(code)
    }

    /// Does what is due after so many ticks of silence: a ping, and the end of a device that does not answer, or of one
    /// that does not close its side.
    func tick() {
        switch state {
        case .open:
            guard core.ticks - heard >= core.pingTicks else { return }
            if isPinged { return fail(.silent) }
            isPinged = true
            heard = core.ticks
            write(.ping, ByteBuffer())
        case .closing(let since):
            guard core.ticks - since >= core.closeTicks else { return }
            state = .closed
            core.abort(context)
        case .closed: break
        }
    }

    // MARK: Incoming

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard case .open = state else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3, frame.maskKey != nil else {
            return refuse(.malformedFrame, .protocolError)
        }
        heard = core.ticks
        isPinged = false
        switch frame.opcode {
        case .binary: take(frame.unmaskedData, isFirst: true, isLast: frame.fin)
        case .continuation: take(frame.unmaskedData, isFirst: false, isLast: frame.fin)
        case .text: refuse(.textMessage, .unacceptableData)
        case .ping: write(.pong, frame.unmaskedData)
        case .pong: break
        case .connectionClose:
            var code = frame.unmaskedData
            code = code.readSlice(length: min(2, code.readableBytes)) ?? ByteBuffer()
            write(.connectionClose, code)
            state = .closed
            context.close(promise: nil)
        default: refuse(.malformedFrame, .protocolError)
        }
    }

    private func take(_ piece: ByteBuffer, isFirst: Bool, isLast: Bool) {
        let message: [UInt8]?
        do throws(MessageAssembly.Failure) {
            message = try assembly.take(piece, isFirst: isFirst, isLast: isLast)
        } catch {
            switch error {
            case .oversized: refuse(.oversizedMessage, .messageTooLarge)
            case .tooManyPieces, .outOfOrder: refuse(.malformedFrame, .protocolError)
            }
            return
        }
        if let message { core.received(message, from: self) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: refuse(.oversizedMessage, .messageTooLarge)
        case is NIOWebSocketError: refuse(.malformedFrame, .protocolError)
        // Further input after the first violation, while the close frame is on its way.
        case is ByteToMessageDecoderError: break
        default:
            state = .closed
            context.close(promise: nil)
        }
    }
}
