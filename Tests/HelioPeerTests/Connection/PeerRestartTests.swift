import HelioCore
import HelioICE
import HelioPeer
import HelioSCTP
import HelioSDP
import HelioSimulation
import Testing

/// ICE restarts in unusual cases of offer and answer.
struct PeerRestartTests {
    /// A new interface is signalled as a candidate to a trickling peer; other peers need a restart.
    @Test(arguments: [true, false])
    func aNewInterface(peerTrickles: Bool) throws {
        let world = PeerWorld(seed: 41)
        if !peerTrickles {
            world.changesAnswer = { $0.replacing(" trickle", with: "").replacing("trickle ", with: "") }
        }
        let a = world.a
        _ = try world.call(a) { try $0.openChannel(DataChannelDescription(label: "chat"), now: $1) }
        try world.begin()
        try #require(try world.run(for: .seconds(10)) { world.isConnected && a.candidates.last == .some(nil) })
        let (needed, told, name) = (a.timesNeeded, a.candidates.count, a.connection.localUsernameFragment)
        let other = TransportAddress(.v4(0xC633_64FE), port: 5000)
        a.others = [other]
        world.give(a, .localCandidate(.host(other)))
        #expect(a.candidates.count == told + 1 && a.candidates.last??.contains("198.51.100.254") == true)
        #expect(a.timesNeeded == needed + (peerTrickles ? 0 : 1))
        try world.offer(from: a)
        #expect((a.connection.localUsernameFragment == name) == peerTrickles)
        #expect(a.connection.localDescription?.contains("198.51.100.254") == true)
        #expect(try world.run(for: .seconds(10)) { world.isConnected && a.agreements == 2 })
        // A later offer doesn't restart again.
        let after = a.connection.localUsernameFragment
        try world.offer(from: a)
        #expect(a.connection.localUsernameFragment == after)
    }

    /// A new interface while an offer is pending: the restart that it needs is reported after the answer.
    @Test func aNewInterfaceDuringAnOffer() throws {
        let world = PeerWorld(seed: 42)
        world.changesAnswer = { $0.replacing(" trickle", with: "").replacing("trickle ", with: "") }
        let a = world.a
        _ = try world.call(a) { try $0.openChannel(DataChannelDescription(label: "chat"), now: $1) }
        try world.begin()
        try #require(try world.run(for: .seconds(10)) { world.isConnected && a.candidates.last == .some(nil) })
        let needed = a.timesNeeded
        try world.offer(from: a)
        let other = TransportAddress(.v4(0xC633_64FE), port: 5000)
        a.others = [other]
        world.give(a, .localCandidate(.host(other)))
        #expect(a.timesNeeded == needed && a.connection.signalingState == .haveLocalOffer)
        try #require(try world.run(for: .seconds(10)) { a.agreements == 2 })
        #expect(a.timesNeeded == needed + 1)
    }

    private func connected(seed: UInt64, _ conditions: PeerWorld.Conditions = .init()) throws -> PeerWorld {
        let world = PeerWorld(seed: seed, conditions)
        _ = try world.call(world.a) { try $0.openChannel(DataChannelDescription(label: "chat"), now: $1) }
        try world.begin()
        try #require(try world.run(for: .seconds(20)) { world.isConnected && world.b.channel("chat") != nil })
        return world
    }

    private func expectUse(_ world: PeerWorld) throws {
        for node in world.nodes {
            let channel = try #require(node.channel("chat"))
            try world.call(node) { try $0.send(.text([1]), on: channel, now: $1) }
        }
        #expect(try world.run(for: .seconds(10)) { world.nodes.allSatisfy { !$0.messages(on: "chat").isEmpty } })
    }

    @Test(arguments: [Duration.zero, .seconds(20)])
    func oneThatIsTakenBackChangesNothing(waits: Duration) throws {
        let world = try connected(seed: 1)
        let before = (world.a.connection.localDescription, world.a.connection.localUsernameFragment)
        try world.call(world.a) { _ = try $0.makeOffer(restartsICE: true, now: $1) }
        #expect(world.a.connection.localUsernameFragment != before.1)
        try world.run(for: waits)
        try world.call(world.a) { try $0.rollback(now: $1) }
        #expect(world.a.connection.localUsernameFragment == before.1)
        #expect(world.a.connection.localDescription == before.0)
        // Long enough for consent to expire.
        try world.run(for: .seconds(60))
        #expect(world.isConnected && world.nodes.allSatisfy { $0.states == [.connecting, .connected] })
        try world.offer(from: world.b)
        try world.run(for: .seconds(1))
        #expect(world.a.agreements == 2 && world.b.agreements == 2)
        try expectUse(world)
    }

    /// An end whose offer is rolled back answers with the old credentials, or with new ones if the other's offer
    /// restarts.
    @Test(arguments: [(true, true), (true, false), (false, true)])
    func offersThatCross(a: Bool, b: Bool) throws {
        let world = try connected(seed: 2)
        let before = world.nodes.map(\.connection.localUsernameFragment)
        try world.offer(from: world.a, restartsICE: a)
        try world.offer(from: world.b, restartsICE: b)
        try world.run(for: .seconds(60))
        #expect(world.isConnected && world.nodes.allSatisfy { $0.states == [.connecting, .connected] })
        for (node, name) in zip(world.nodes, before) {
            #expect(node.agreements == 2 && (node.connection.localUsernameFragment == name) == !a)
        }
        try expectUse(world)
    }

    /// Both ends are behind NATs, so the path needs candidates that are signalled after the offer.
    @Test func candidatesThatComeBeforeTheAnswerCount() throws {
        let world = try connected(seed: 3, .init(isBehindNAT: (true, true)))
        for node in world.nodes { node.nat?.rebind() }
        world.thinkingTime = .seconds(3)
        try world.offer(from: world.a, restartsICE: true)
        // No further candidate is signalled.
        try world.run(for: .seconds(2))
        world.trickles = false
        #expect(try world.run(for: .seconds(20)) { world.nodes.allSatisfy { $0.agreements == 2 } })
        #expect(try world.run(for: .seconds(20)) { world.isConnected })
        try expectUse(world)
    }

    /// ICE detects that the peer is gone, and a restart reconnects: until then nothing else fails.
    @Test(arguments: [Duration.seconds(40), .seconds(600)])
    func channelsOutliveAnyOutage(duration: Duration) throws {
        let world = try connected(seed: 5)
        for node in world.nodes {
            node.link.partitions = [world.now..<world.now + duration]
            let channel = try #require(node.channel("chat"))
            for byte in 0..<20 as Range<UInt8> {
                try world.call(node) { try $0.send(.binary([byte]), on: channel, now: $1) }
            }
        }
        try world.run(for: duration)
        #expect(world.nodes.allSatisfy { $0.failures == [.noPath] && $0.closed.isEmpty })
        try world.offer(from: world.b, restartsICE: true)
        #expect(
            try world.run(for: .seconds(6)) { world.nodes.allSatisfy { $0.messages(on: "chat").count == 20 } })
        #expect(world.isConnected && world.nodes.allSatisfy { $0.closed.isEmpty })
    }

    /// DTLS would fail for good after its time-outs, so its timer is stopped while there is no path.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func aHandshakeOutlivesAnyOutage(seed: UInt64) throws {
        let isLite = seed % 3 == 1
        let world = PeerWorld(seed: seed, .init(isBehindNAT: (seed % 2 == 0, seed % 3 == 0))) { $1.isLite = isLite }
        _ = try world.call(world.a) { try $0.openChannel(DataChannelDescription(label: "chat"), now: $1) }
        try world.begin()
        try #require(try world.run(for: .seconds(5)) { world.nodes.contains { $0.connection.path != nil } })
        for node in world.nodes {
            node.link.partitions = [world.now..<world.now + .seconds(100)]
            node.nat?.rebind()
        }
        try world.run(for: .seconds(100))
        #expect(world.nodes.allSatisfy { $0.connection.state == .failed && $0.failures == [.noPath] })
        try world.offer(from: world.b, restartsICE: true)
        #expect(try world.run(for: .seconds(10)) { world.isConnected && world.b.channel("chat") != nil })
        try expectUse(world)
    }
}
