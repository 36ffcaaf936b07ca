import HelioCore
import HelioICE
import HelioPeer
import HelioSCTP
import HelioSTUN
import HelioSimulation
import Testing

/// Plain datagrams beside DTLS, on connections that have a data section and no channel.
struct PeerPlainTests {
    private static let direct = PeerPathKind(isRelayed: false, isTCP: false)
    private static let relayed = PeerPathKind(isRelayed: true, isTCP: false)

    /// A world whose ends are connected; only `a` has asked for a data section.
    private func connected(
        seed: UInt64, _ conditions: PeerWorld.Conditions = .init(), carries: (Bool, Bool) = (true, true),
        configure: (inout PeerConnectionConfiguration, inout PeerConnectionConfiguration) -> Void = { _, _ in },
        prepare: (PeerWorld) -> Void = { _ in }
    ) throws -> PeerWorld {
        let world = PeerWorld(seed: seed, conditions) { a, b in
            (a.carriesPlainDatagrams, b.carriesPlainDatagrams) = carries
            configure(&a, &b)
        }
        prepare(world)
        try world.call(world.a) { try $0.openData(now: $1) }
        try world.begin()
        try #require(try world.run(for: .seconds(20)) { world.isConnected })
        return world
    }

    private func say(_ bytes: [UInt8], at node: PeerNode, in world: PeerWorld) {
        world.call(node) { $0.send(plain: bytes, now: $1) }
    }

    /// Sends in both directions, and expects that everything arrives unchanged.
    private func expectUse(_ world: PeerWorld) throws {
        for node in world.nodes { node.plain = [] }
        let words = (0..<64).map { [192 + UInt8($0), UInt8($0)] + [UInt8](repeating: 7, count: 20 * $0) }
        for word in words {
            for node in world.nodes { say(word, at: node, in: world) }
            try world.run(for: .milliseconds(5))
        }
        try world.run(for: .seconds(1))
        for node in world.nodes { #expect(node.plain == words) }
    }

    @Test func theyGoAsTheyAre() throws {
        let world = try connected(seed: 81)
        try expectUse(world)
        #expect(world.a.sent.contains([192, 0]))
        #expect(world.nodes.allSatisfy { $0.connection.drops.total == 0 && $0.pathKinds == [Self.direct] })
        #expect(world.nodes.allSatisfy { $0.connection.statistics.plainSent == 64 })
        #expect(world.nodes.allSatisfy { $0.connection.statistics.plainReceived == 64 })
    }

    /// Without an open channel the connection lasts, and a further description changes nothing.
    @Test func aDataSectionAloneIsAConnection() throws {
        let world = try connected(seed: 82)
        #expect(world.a.timesNeeded == 1 && world.a.opened.isEmpty && world.b.opened.isEmpty)
        try world.run(for: .seconds(300))
        #expect(world.nodes.allSatisfy { $0.states == [.connecting, .connected] })
        try world.call(world.a) { try $0.openData(now: $1) }
        #expect(world.a.timesNeeded == 1)
        try expectUse(world)
    }

    @Test(arguments: [PeerRelay.Way.udp, .tcp])
    func relayedOnes(_ way: PeerRelay.Way) throws {
        let world = try connected(seed: 83, .init(relays: (way, nil)), configure: { a, _ in a.usesRelaysOnly = true })
        try world.run(for: .seconds(2))
        try expectUse(world)
        #expect(world.a.connection.pathKind == PeerPathKind(isRelayed: true, isTCP: way == .tcp))
        // The other end does not see how the server is reached.
        #expect(world.b.connection.pathKind == Self.relayed)
        #expect(world.a.relay?.model.violations == [])
    }

    @Test func byTCP() throws {
        let world = try connected(
            seed: 84,
            prepare: { world in
                world.blocksUDP = true
                world.a.mayConnect = true
                world.b.listens = TransportAddress(world.b.host.ip, port: 5001, transport: .tcp)
            })
        try expectUse(world)
        #expect(world.nodes.allSatisfy { $0.pathKinds == [PeerPathKind(isRelayed: false, isTCP: true)] })
    }

    /// A restart finds a direct path while a relayed one is in use: the kind is reported, and the flow goes on.
    @Test func aRestartChangesThePath() throws {
        let world = try connected(seed: 85, .init(relays: (.udp, nil)), prepare: { $0.blocksUDP = true })
        try world.run(for: .seconds(2))
        try expectUse(world)
        #expect(world.nodes.allSatisfy { $0.pathKinds == [Self.relayed] })
        world.blocksUDP = false
        for node in world.nodes { node.plain = [] }
        try world.offer(from: world.a, restartsICE: true)
        for number in 0..<250 as Range<UInt8> {
            say([0xC0, number], at: world.a, in: world)
            say([0xC1, number], at: world.b, in: world)
            try world.run(for: .milliseconds(20))
        }
        try world.run(for: .seconds(1))
        #expect(world.nodes.allSatisfy { $0.pathKinds.last == Self.direct && $0.states == [.connecting, .connected] })
        #expect(world.a.plain.count > 200 && world.b.plain.count > 200)
        try expectUse(world)
    }

    /// A NAT forgets its mapping: the flow goes on from the new address once checks have proven it.
    @Test func aTranslatorForgets() throws {
        let world = try connected(seed: 86, .init(isBehindNAT: (true, false)))
        try expectUse(world)
        world.a.nat?.rebind()
        for node in world.nodes { node.plain = [] }
        for _ in 0..<600 where world.nodes.contains(where: { $0.plain.isEmpty }) || !world.isConnected {
            say([0xC0, 1], at: world.a, in: world)
            say([0xC1, 1], at: world.b, in: world)
            try world.run(for: .milliseconds(100))
        }
        #expect(world.nodes.allSatisfy { !$0.plain.isEmpty } && world.isConnected)
    }

    // MARK: What is refused

    @Test func whoIsNotConfiguredTakesAndSendsNone() throws {
        let world = try connected(seed: 87, carries: (true, false))
        say([0xC0, 1], at: world.a, in: world)
        say([0xC0, 2], at: world.b, in: world)
        try world.run(for: .seconds(1))
        #expect(world.nodes.allSatisfy { $0.plain.isEmpty })
        #expect(world.b.connection.drops[.unknownProtocol] == 1 && world.b.connection.drops[.notPlain] == 1)
        #expect(world.nodes.allSatisfy { $0.states == [.connecting, .connected] })
    }

    @Test(
        arguments: [
            [], [191, 1], [22, 1], [0, 1], [192] + [UInt8](repeating: 0, count: 1472),
        ] as [[UInt8]])
    func othersAreNotSent(_ bytes: [UInt8]) throws {
        let world = try connected(seed: 88)
        let sent = world.a.sent.count
        say(bytes, at: world.a, in: world)
        #expect(world.a.sent.count == sent && world.a.connection.drops[.notPlain] == 1)
    }

    @Test func nothingIsTakenFromWhereNobodyWasShownToBe() throws {
        let world = PeerWorld(seed: 89) { a, b in
            (a.carriesPlainDatagrams, b.carriesPlainDatagrams) = (true, true)
        }
        let stranger = TransportAddress(.v4(0x0909_0909), port: 999)
        func attack() { world.give(world.b, .datagram([0xC0, 1], from: stranger, onLocal: world.b.host)) }
        attack()
        #expect(world.b.connection.drops[.beforeDescription] == 1)
        try world.call(world.a) { try $0.openData(now: $1) }
        say([0xC0, 1], at: world.a, in: world)
        #expect(world.a.connection.drops[.noPath] == 1)
        try world.begin()
        try world.run(for: .milliseconds(25))
        #expect(world.b.agreements == 1 && world.b.connection.path == nil)
        attack()
        try #require(try world.run(for: .seconds(10)) { world.isConnected })
        attack()
        #expect(world.b.connection.drops[.unprovenPlain] == 2 && world.b.plain.isEmpty)
        try expectUse(world)
        world.call(world.a) { $0.close(now: $1) }
        #expect(world.a.pathKinds == [Self.direct, nil])
        let before = world.a.connection.drops[.noPath]
        say([0xC0, 1], at: world.a, in: world)
        #expect(world.a.connection.drops[.noPath] == before + 1)
    }
}
