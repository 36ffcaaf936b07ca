import HelioCore
import HelioICE
import HelioSTUN
import Testing

/// An attacker on the network sends random datagrams, and replays observed ones, at any time.
struct ICEJunkTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
    func junkChangesNothing(seed: UInt64) throws {
        let quiet = try ICEWorld(seed: seed, .restricted, .open, loss: 0.05)
        quiet.start()
        try quiet.run(for: .seconds(25))

        let world = try ICEWorld(seed: seed, .restricted, .open, loss: 0.05)
        world.start()
        var random = SeededGenerator(seed: seed)
        let attacker = TransportAddress(.v4(0x0909_0909), port: 9)
        for _ in 0..<250 {
            try world.run(for: .milliseconds(100))
            for node in [world.a, world.b] {
                var bytes = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                if random.next() % 2 == 0, let seen = world.peer(of: node).sent.randomElement(using: &random) {
                    bytes = seen.bytes
                    // Bits of the trailing FINGERPRINT are left unchanged: it is unauthenticated and optional.
                    bytes[Int.random(in: 0..<bytes.count - 8, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
                let peer = world.peer(of: node)
                let from = random.next() % 2 == 0 ? attacker : peer.agent.selectedPair?.base ?? attacker
                world.inject(bytes, from: from, to: node)
            }
        }
        // The agents send exactly the same datagrams as without the attacker.
        for (node, other) in [(world.a, quiet.a), (world.b, quiet.b)] {
            #expect(node.events.map(\.event) == other.events.map(\.event))
            #expect(node.sent.map(\.bytes) == other.sent.map(\.bytes))
            #expect(node.agent.drops.total >= other.agent.drops.total + 200)
        }
        #expect(world.isConnected)
    }

    /// Genuine datagrams replayed later from another address.
    @Test(arguments: [1, 2, 3, 4])
    func replayMovesNobody(seed: UInt64) throws {
        let world = try ICEWorld(seed: seed, .portRestricted, .portRestricted)
        world.start()
        var random = SeededGenerator(seed: seed)
        let attacker = TransportAddress(.v4(0x0909_0909), port: 9)
        for _ in 0..<400 {
            try world.run(for: .milliseconds(100))
            for node in [world.a, world.b] {
                guard let seen = node.received.randomElement(using: &random) else { continue }
                world.inject(seen, from: attacker, to: node)
            }
        }
        #expect(world.isConnected)
        for node in [world.a, world.b] {
            #expect(node.states() == [.checking, .connected] && node.selections().count == 1)
            #expect(!node.sent.contains { $0.to == attacker && $0.bytes[0] == 0 })
            #expect(node.agent.drops[.replayed] > 0)
        }
    }
}
