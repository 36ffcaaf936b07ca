import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSimulation
import Testing

@Suite("Data over DTLS")
struct DTLSDataTests {
    private func connected() throws -> DTLSWorld {
        let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server))
        try world.settle()
        try #require(world.isConnected)
        return world
    }

    @Test("arrives in one piece, whatever its length", arguments: [1, 2, 1199, 1200, 1500, 9000, 16_384])
    func lengths(_ length: Int) throws {
        let world = try connected()
        let data = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        try world.a.transport.send(data)
        try world.b.transport.send(data)
        try world.settle()
        #expect(world.a.received == [data] && world.b.received == [data])
        #expect((1...DTLSRecord.mostOverhead).contains(try #require(world.a.sizes.last) - length))
    }

    @Test("a caller's mistakes are told")
    func mistakes() throws {
        let early = try DTLSEnd(.server)
        #expect(throws: DTLSError.notConnected) { try early.transport.send([1]) }
        let world = try connected()
        #expect(throws: DTLSError.badLength(0)) { try world.a.transport.send([]) }
        #expect(throws: DTLSError.badLength(16_385)) {
            try world.a.transport.send([UInt8](repeating: 0, count: 16_385))
        }
        for _ in 0..<64 { try world.a.transport.send([1]) }
        #expect(throws: DTLSError.queueFull) { try world.a.transport.send([1]) }
        for mtu in [299, 4001] {
            #expect(throws: DTLSError.badMTU(mtu)) { try DTLSEnd(.client) { $0.mtu = mtu } }
        }
    }

    @Test("what nobody takes is dropped and counted")
    func bounded() throws {
        let world = try connected()
        for _ in 0..<300 {
            try world.a.transport.send([1])
            guard case .datagram(let bytes) = world.a.transport.poll() else { continue }
            world.b.transport.handle(bytes, now: world.now)
        }
        var taken = 0
        while world.b.transport.poll() != nil { taken += 1 }
        #expect(taken == 256 && world.b.transport.drops[.queueFull] == 44)
    }

    @Test("goodbye is heard, once, and nothing after it")
    func goodbye() throws {
        for isClient in [true, false] {
            let world = try connected()
            let (leaver, other) = isClient ? (world.a, world.b) : (world.b, world.a)
            try other.transport.send([1])
            guard case .datagram(let late) = other.transport.poll() else {
                Issue.record("nothing sent")
                return
            }
            leaver.transport.close()
            leaver.transport.close()
            try world.settle()
            #expect(world.a.isClosed && world.b.isClosed && world.a.failure == nil && world.b.failure == nil)
            leaver.transport.handle(late, now: world.now)
            try world.settle()
            #expect(leaver.received.isEmpty && leaver.transport.drops[.afterEnd] > 0)
            #expect(throws: DTLSError.notConnected) { try other.transport.send([1]) }
        }
    }

    @Test("who leaves before the end of the handshake, leaves")
    func earlyGoodbye() throws {
        let client = try DTLSEnd(.client)
        client.transport.close()
        #expect(client.pollDatagram(now: .zero) != nil)
        #expect(client.pollDatagram(now: .zero) == nil)
        #expect(client.isClosed && client.deadline == nil)
    }
}
