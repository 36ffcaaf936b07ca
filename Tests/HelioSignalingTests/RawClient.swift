import HelioTLS
import NIOCore
import NIOPosix

/// A TCP connection that sends exactly the given bytes, and buffers received bytes until they are read.
///
/// Waits have no time-out of their own: the test's time limit ends them.
final class RawClient: Sendable {
    struct Ended: Error {}

    private let channel: any Channel
    private let reader: Reader

    /// Reads received bytes, one `next` at a time.
    private actor Reader {
        private var source: AsyncStream<ByteBuffer>.Iterator
        private var bytes = ByteBuffer()

        init(_ stream: AsyncStream<ByteBuffer>) { source = stream.makeAsyncIterator() }

        func more() async throws(Ended) {
            var iterator = source
            let piece = await iterator.next(isolation: self)
            source = iterator
            guard var piece else { throw Ended() }
            bytes.writeBuffer(&piece)
        }

        func read(_ count: Int) async throws(Ended) -> [UInt8] {
            while bytes.readableBytes < count { try await more() }
            return bytes.readBytes(length: count)!
        }

        /// Reads up to and including the empty line.
        func readHead() async throws(Ended) -> String {
            while true {
                let line = Array("\r\n\r\n".utf8)
                if let end = bytes.readableBytesView.firstRange(of: line) {
                    let count = end.upperBound - bytes.readerIndex
                    return String(decoding: bytes.readBytes(length: count)!, as: UTF8.self)
                }
                try await more()
            }
        }

        /// Reads all bytes up to the end of the connection.
        func readAll() async -> [UInt8] {
            while (try? await more()) != nil {}
            return bytes.readBytes(length: bytes.readableBytes)!
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let said: AsyncStream<ByteBuffer>.Continuation
        init(_ said: AsyncStream<ByteBuffer>.Continuation) { self.said = said }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { said.yield(unwrapInboundIn(data)) }
        func channelInactive(context: ChannelHandlerContext) { said.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// - Parameters:
    ///   - tls: the TLS context; any certificate is accepted.
    ///   - local: the client's source address.
    ///   - reads: whether the client reads at all.
    init(
        port: Int, host: String = "127.0.0.1", from local: String? = nil, tls: TLSClientContext? = nil,
        reads: Bool = true
    ) async throws {
        let (stream, said) = AsyncStream.makeStream(of: ByteBuffer.self)
        reader = Reader(stream)
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(tls.handler { _ in true })
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(said))
                }
            }
        if let local { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: local, port: 0)) }
        // A small receive buffer fills quickly.
        if !reads { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: 4096) }
        channel = try await bootstrap.connect(host: host, port: port).get()
    }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends without waiting for the bytes to be written.
    func post(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func read(_ count: Int) async throws -> [UInt8] { try await reader.read(count) }
    func readHead() async throws -> String { try await reader.readHead() }
    func readAll() async -> [UInt8] { await reader.readAll() }

    /// Closes the output side; the client can still receive.
    func endOutput() async throws { try await channel.close(mode: .output).get() }
    func close() async { try? await channel.close().get() }

    /// Waits until the other end has closed the connection, whether or not this end reads.
    func closed() async {
        // A future has no time-out: the test's time limit cancels this task.
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}
