internal import NIOCore
private import NIOPosix

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A pair of connected local sockets, of which one end is a session's connection, and the other passes bytes to and
/// from a stream elsewhere. Lives on one event loop.
///
/// Back-pressure works both ways: bytes are read from the session only as far as `allow` permits, and `hold` is called
/// while the session does not read.
final class StreamPump {
    /// The session's end, without handlers.
    let session: any Channel
    private let inner: any Channel
    private let give: ([UInt8]) -> Void
    private let hold: (Bool) -> Void
    private let ended: () -> Void

    /// The number of bytes that may still be given.
    private var room = 0
    /// The bytes that were read and not given yet: those of one read, and at the session's end the rest of its socket.
    private var waiting: [UInt8] = []
    private var isReading = false
    private var isHeld = false
    private var isAtEnd = false
    private var isClosed = false

    /// Opens a pair of channels: the session's end, and the pump's.
    static func pair(on loop: any EventLoop) -> EventLoopFuture<(any Channel, any Channel)> {
        var descriptors: [CInt] = [-1, -1]
        #if canImport(Glibc)
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, kind, 0, &descriptors) == 0 else {
            return loop.makeFailedFuture(IOError(errnoCode: errno, reason: "socketpair"))
        }
        let session = ClientBootstrap(group: loop).withConnectedSocket(descriptors[0])
        let inner = ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .withConnectedSocket(descriptors[1])
        return session.and(inner)
    }

    /// - Parameters:
    ///   - pair: the channels of `pair(on:)`.
    ///   - give: takes bytes of the session, at most as many as allowed.
    ///   - hold: called with true once the session does not keep up with `write`, and with false when it does again.
    ///   - ended: called once the session has closed its end, and everything was given.
    init(
        _ pair: (any Channel, any Channel), give: @escaping ([UInt8]) -> Void, hold: @escaping (Bool) -> Void,
        ended: @escaping () -> Void
    ) throws {
        (session, inner) = pair
        self.give = give
        self.hold = hold
        self.ended = ended
        try inner.pipeline.syncOperations.addHandler(StreamPumpHandler(self))
    }

    /// Sets the number of bytes that may be given from now on.
    func allow(_ bytes: Int) {
        room = bytes
        push()
    }

    /// Writes bytes to the session, to be sent by `flush`.
    func write(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        inner.write(inner.allocator.buffer(bytes: bytes), promise: nil)
    }

    func flush() {
        guard !isClosed else { return }
        inner.flush()
        noteWritability()
    }

    /// Closes both ends, after what was written has been read by the session.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        waiting = []
        let inner = inner
        inner.writeAndFlush(inner.allocator.buffer(capacity: 0)).whenComplete { _ in inner.close(promise: nil) }
    }

    /// Closes both ends at once.
    func abort() {
        isClosed = true
        waiting = []
        inner.close(promise: nil)
        session.close(promise: nil)
    }

    private func push() {
        if !waiting.isEmpty, room > 0 {
            let part = Array(waiting.prefix(room))
            waiting.removeFirst(part.count)
            room -= part.count
            give(part)
        }
        guard waiting.isEmpty, !isClosed else { return }
        if isAtEnd {
            isClosed = true
            ended()
        } else if room > 0, !isReading {
            isReading = true
            inner.read()
        }
    }

    fileprivate func received(_ bytes: ByteBuffer) {
        if !isClosed { waiting += bytes.readableBytesView }
    }

    fileprivate func readComplete() {
        isReading = false
        push()
    }

    fileprivate func inactive() {
        isAtEnd = true
        push()
    }

    fileprivate func noteWritability() {
        guard !isClosed, isHeld == inner.isWritable else { return }
        isHeld.toggle()
        hold(isHeld)
    }
}

private final class StreamPumpHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private weak let pump: StreamPump?

    init(_ pump: StreamPump) {
        self.pump = pump
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { pump?.received(unwrapInboundIn(data)) }
    func channelReadComplete(context: ChannelHandlerContext) { pump?.readComplete() }
    func channelInactive(context: ChannelHandlerContext) { pump?.inactive() }
    func channelWritabilityChanged(context: ChannelHandlerContext) { pump?.noteWritability() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
