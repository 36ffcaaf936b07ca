import HelioLoop
import HelioTestLanes
import NIOCore
import NIOPosix
import Testing

@Suite("Connections that carry little", .timeLimit(.minutes(1)), .tags(.quiet))
struct ThinStreamTests {
    #if os(Linux)
    @Test("what our servers accept does not wait longer and longer for what is lost")
    func accepted() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let (values, told) = AsyncStream.makeStream(of: SocketOptionValue.self)
        let listener = try await StreamListener.bind(host: "127.0.0.1", port: 0, on: group.next()) { channel in
            // Option 16 is TCP_THIN_LINEAR_TIMEOUTS.
            told.yield(try channel.syncOptions?.getOption(.tcpOption(.init(rawValue: 16))) ?? -1)
        }.get()
        let port = try #require(listener.localAddress?.port)
        let client = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get()
        var iterator = values.makeAsyncIterator()
        let value = await iterator.next()
        #expect(value == 1)
        try await client.close().get()
        try await listener.close().get()
    }
    #endif
}
