import HelioTestLanes
import NIOCore
import NIOPosix
import Testing

@testable import HelioLoop

@Suite("The kernel's buffers of UDP sockets", .tags(.quiet))
struct DatagramBuffersTests {
    private struct Refused: Error {}

    @Test(
        "a size that the system refuses is followed by the next, and a socket without any still works",
        arguments: [(8 << 20, 4 << 20), (3 << 20, 2 << 20), (256 << 10, 256 << 10), (1000, nil)]
            as [(SocketOptionValue, SocketOptionValue?)])
    func refused(limit: SocketOptionValue, taken: SocketOptionValue?) {
        var tried: [SocketOptionValue] = []
        let found = DatagramBuffers.firstTaken { size in
            tried.append(size)
            if size > limit { throw Refused() }
        }
        #expect(found == taken)
        #expect(tried == DatagramBuffers.sizes.filter { $0 >= taken ?? 0 })
    }

    @Test("a bound port has larger buffers than the system's own")
    func enlarged() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        func size(_ enlarges: Bool) async throws -> Int {
            let channel = try await DatagramBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { if enlarges { DatagramBuffers.enlarge(channel) } }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let size = try await channel.getOption(.socketOption(.so_rcvbuf)).get()
            try await channel.close()
            return Int(size)
        }
        let (own, enlarged) = (try await size(false), try await size(true))
        #expect(enlarged >= own && enlarged > 0)
        try await group.shutdownGracefully()
    }
}
