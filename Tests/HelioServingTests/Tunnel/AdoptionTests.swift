import HelioAdmission
import HelioCore
import HelioHost
import HelioServing
import HelioTestLanes
import NIOCore
import Testing

@Suite("Streams of tunnels at a host", .timeLimit(.minutes(1)), .tags(.quiet))
struct AdoptionTests {
    /// Hands the host a stream, and returns the other end of it.
    private func adopt(_ world: TunnelWorld, _ path: PathID, from address: String) async throws -> any Channel {
        try await world.loop.flatSubmit { [server = world.server, loop = world.loop] in
            do {
                let (own, others) = try SocketPair.open(on: loop)
                return others.flatMap { channel in
                    server.adopt(channel, at: path, from: address)
                    return own
                }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    @Test(
        "nine silent ones from one address are one too many, as at the port", arguments: ["203.0.113.9", "", "nobody"])
    func crowd(address: String) async throws {
        let world = try await TunnelWorld()
        var streams: [any Channel] = []
        for number in 0..<UInt64(Stranger.mostOfOrigin + 1) {
            streams.append(try await adopt(world, .virtual(number), from: address))
        }
        try await streams[0].closeFuture.get()
        #expect(streams.dropFirst().allSatisfy { $0.isActive })
        #expect(try await world.server.statistics().drops["connection-made-room"] == 1)
        // Connections from elsewhere are not concerned.
        let other = try await adopt(world, .virtual(99), from: "203.0.113.10")
        #expect(try await world.server.statistics().drops["connection-made-room"] == 1)
        for stream in streams.dropFirst() + [other] { try? await stream.close().get() }
        try await world.stop()
    }

    @Test("a path of a socket is none of a tunnel's, neither for a stream nor for a datagram")
    func notVirtual() async throws {
        let world = try await TunnelWorld()
        let path = PathID(.v4(0x7F00_0001), port: 9)
        let stream = try await adopt(world, path, from: "127.0.0.1")
        try await stream.closeFuture.get()
        try await world.loop.submit { [server = world.server] in
            for kind in ServedDatagram.allCases {
                server.received([0x80, 201, 0, 1, 0, 0, 0, 1], kind, from: path)
                server.received(Array(repeating: 0x80, count: 4096), kind, from: .virtual(1))
            }
        }.get()
        let drops = try await world.server.statistics().drops
        #expect(drops["tunnel-path-not-virtual"] == 3 && drops["tunnel-datagram-too-long"] == 2)
        try await world.stop()
    }

    @Test("once the host has stopped, streams are closed at once")
    func afterwards() async throws {
        let world = try await TunnelWorld()
        await world.server.stop()
        let stream = try await adopt(world, .virtual(1), from: "203.0.113.9")
        try await stream.closeFuture.get()
        try await world.stop(isServing: false)
    }
}
