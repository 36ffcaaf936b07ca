import NIOCore

/// The socket's end of an in-memory channel: records the output, and how it is closed.
final class Plug: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var context: ChannelHandlerContext?
    private var promises: [EventLoopPromise<Void>] = []
    private var unflushed: [ByteBuffer] = []
    /// The flushed writes that were not taken yet.
    private(set) var writes: [ByteBuffer] = []
    private(set) var allWrites = 0
    private(set) var hasEnded = false
    private(set) var reads = 0

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        unflushed.append(unwrapOutboundIn(data))
        if let promise { promises.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        writes += unflushed
        allWrites += unflushed.count
        unflushed = []
        let written = promises
        promises = []
        for promise in written { promise.succeed() }
    }

    func read(context: ChannelHandlerContext) {
        reads += 1
        context.read()
    }

    /// Closing the output does not close the channel.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        hasEnded = true
        promise?.succeed()
    }

    func take() -> [UInt8] {
        defer { writes = [] }
        return writes.flatMap { Array($0.readableBytesView) }
    }

    /// Ends the connection.
    func pull() { context?.close(promise: nil) }
}
