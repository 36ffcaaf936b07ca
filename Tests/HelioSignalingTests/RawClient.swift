import HelioTLS
import NIOCore
import NIOPosix

/// One TCP connection that says exactly the bytes it is told to, and keeps what comes back until it is asked for.
///
/// What it waits for and never comes is the time limit's business.
final class RawClient: Sendable {
    struct Ended: Error {}

    private let channel: any Channel
    private let reader: Reader

    /// What comes, one `next` at a time.
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

        /// To the end of the empty line.
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

        /// All up to the end of the connection.
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
    ///   - tls: speaks TLS with it, whatever certificate is shown.
    ///   - local: the address that it comes from.
    ///   - reads: whether it ever reads.
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
        // So that little is enough to fill it.
        if !reads { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: 4096) }
        channel = try await bootstrap.connect(host: host, port: port).get()
    }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Without waiting for it to leave.
    func post(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func read(_ count: Int) async throws -> [UInt8] { try await reader.read(count) }
    func readHead() async throws -> String { try await reader.readHead() }
    func readAll() async -> [UInt8] { await reader.readAll() }

    /// The end of what this end says; it goes on listening.
    func endOutput() async throws { try await channel.close(mode: .output).get() }
    func close() async { try? await channel.close().get() }

    /// When the other end has hung up, whether this end read or not.
    func closed() async {
        // A future knows no end of patience: the time limit's is this end's.
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}
