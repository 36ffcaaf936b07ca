import HelioCore
import HelioICE
import HelioPeer
import HelioSCTP
import HelioSTUN
import HelioSimulation
import Testing

/// Whole connections by IPv6, by connections of TCP, and before a path is settled on.
struct PeerPathTests {
    private func expectUse(_ pair: MediaPair, _ channel: PeerChannelID) throws {
        let world = pair.world
        world.b.isEcho = true
        let large = DataChannelMessage.binary((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try world.call(world.a) { try $0.send(large, on: channel, now: $1) }
        #expect(try world.run(for: .seconds(30)) { world.a.messages[channel] == [large] })
        pair.start(world.a, pair.screen)
        try world.run(for: .seconds(4))
        try pair.expectFrames(atLeast: 0.97)
    }

    private func pair(
        seed: UInt64, _ conditions: PeerWorld.Conditions = .init(), prepare: (PeerWorld) -> Void = { _ in }
    ) throws -> (MediaPair, PeerChannelID) {
        var channel: PeerChannelID?
        let pair = try MediaPair(
            seed: seed, conditions,
            prepare: { world in
                channel = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
                prepare(world)
            })
        try #require(try pair.world.run(for: .seconds(10)) { pair.world.b.channel("chat") != nil })
        return (pair, try #require(channel))
    }

    @Test(arguments: [0, 0.05])
    func byIPv6(loss: Double) throws {
        let (pair, channel) = try pair(seed: 71, .init(loss: loss, family: .ipv6))
        try expectUse(pair, channel)
        for node in pair.world.nodes {
            let path = try #require(node.connection.path)
            #expect(path.base.family == .ipv6 && path.remote.family == .ipv6)
            #expect(node.candidates.contains { $0?.contains(" 2001:db8::") == true })
        }
        try pair.world.offer(from: pair.world.b, restartsICE: true)
        try pair.world.run(for: .seconds(2))
        #expect(pair.world.isConnected && pair.world.nodes.allSatisfy { $0.states == [.connecting, .connected] })
    }

    /// A wall lets no UDP through: the end that takes connections may be either.
    @Test(arguments: [true, false], [AddressFamily.ipv4, .ipv6])
    func byTCP(offererConnects: Bool, family: AddressFamily) throws {
        let (pair, channel) = try pair(seed: 72, .init(family: family)) { world in
            world.blocksUDP = true
            let (client, server) = offererConnects ? (world.a, world.b) : (world.b, world.a)
            client.mayConnect = true
            server.listens = TransportAddress(server.host.ip, port: 5001, transport: .tcp)
        }
        let world = pair.world
        try expectUse(pair, channel)
        #expect(world.streams.count == 1)
        for node in world.nodes {
            #expect(node.connection.path?.base.transport == .tcp)
            let candidates = node.candidates.compactMap { $0 }.filter { $0.contains(" tcp ") }
            #expect(candidates.count == 1 && candidates[0].contains(node.listens == nil ? "active" : "passive"))
        }
        // The connection ends, and a restart makes another.
        world.closeStreams()
        try world.run(for: .milliseconds(10))
        #expect(world.nodes.allSatisfy { $0.connection.state == .disconnected })
        try world.offer(from: world.a, restartsICE: true)
        #expect(try world.run(for: .seconds(10)) { world.isConnected })
        #expect(world.streams.count == 2)
        try world.call(world.a) { try $0.send(.text([1]), on: channel, now: $1) }
        #expect(try world.run(for: .seconds(15)) { world.a.messages[channel]?.count == 2 })
    }

    /// Where both are there, UDP is used.
    @Test func tcpIsForWantOfBetter() throws {
        let (pair, _) = try pair(seed: 73) { world in
            for node in world.nodes {
                node.mayConnect = true
                node.listens = TransportAddress(node.host.ip, port: 5001, transport: .tcp)
            }
        }
        try pair.world.run(for: .seconds(5))
        #expect(pair.world.nodes.allSatisfy { $0.connection.path?.base.transport == .udp })
    }

    /// Data goes by what works while it is not decided yet (RFC 8445 section 12.1).
    @Test func dataGoesBeforeThePathIsSettledOn() throws {
        let world = PeerWorld(seed: 74) { a, _ in
            // Somebody waits long for better pairs: one there is that will never answer.
            a.adjustICE = { $0.nominationDelay = .seconds(8) }
        }
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        try world.run(for: .milliseconds(60))
        let silent = "candidate:9 1 udp 2147483647 203.0.113.99 4000 typ host"
        try world.call(world.a) { try $0.addCandidate(silent, now: $1) }
        #expect(try world.run(for: .seconds(2)) { world.isConnected && world.b.channel("chat") != nil })
        #expect(world.now < .zero + .seconds(1))
        let channel = try #require(world.a.channel("chat"))
        try world.call(world.a) { try $0.send(.text([1]), on: channel, now: $1) }
        #expect(try world.run(for: .seconds(1)) { world.b.messages(on: "chat") == [.text([1])] })
        // No check has named the pair by then.
        func nominations() -> Int {
            world.a.sent.count { bytes in
                (try? STUNPacket(parsing: bytes.span.bytes).message.usesCandidate) == true
            }
        }
        #expect(nominations() == 0)
        try world.run(for: .seconds(12))
        #expect(nominations() > 0 && world.isConnected)
        #expect(world.nodes.allSatisfy { $0.states == [.connecting, .connected] })
    }

    // MARK: DTLS before ICE

    /// A stranger's and an early peer's flights wait, within bounds, and count for nothing before ICE has shown where
    /// the peer is.
    @Test func dtlsFromWhereNobodyWasShownToBe() throws {
        let world = PeerWorld(seed: 75)
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        try world.run(for: .milliseconds(25))
        #expect(world.b.agreements == 1 && world.b.connection.path == nil)
        let stranger = TransportAddress(.v4(0x0909_0909), port: 999)
        let hello: [UInt8] = [22, 0xFE, 0xFD] + [UInt8](repeating: 0, count: 60)
        for _ in 0..<20 { world.give(world.b, .datagram(hello, from: stranger, onLocal: world.b.host)) }
        // Eight are kept.
        #expect(world.b.connection.drops[.unproven] == 12)
        #expect(try world.run(for: .seconds(10)) { world.isConnected && world.b.channel("chat") != nil })
        #expect(world.b.failures.isEmpty && world.b.connection.allDrops.keys.allSatisfy { !$0.hasPrefix("dtls-") })
        // And afterwards, as well.
        let before = world.b.connection.drops[.unproven]
        for _ in 0..<20 { world.give(world.b, .datagram(hello, from: stranger, onLocal: world.b.host)) }
        #expect(world.b.connection.drops[.unproven] - before >= 12)
        try world.call(world.a) { connection, now in
            try connection.send(.text([1]), on: try #require(world.a.channel("chat")), now: now)
        }
        #expect(try world.run(for: .seconds(2)) { world.b.messages(on: "chat") == [.text([1])] })
    }

    /// The first flight of DTLS is held until a check has come from there, and counts then: nobody waits for it to be
    /// sent again.
    @Test func anEarlyFlightIsNotLost() throws {
        let world = PeerWorld(seed: 76, .init(jitter: .zero))
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        // B's answer takes long, its checks and its first flight are at A's before it.
        world.signallingDelay = .milliseconds(20)
        world.gather()
        let offer = try world.call(world.a) { try $0.makeOffer(now: $1) }
        world.signal(to: world.b, .offer(offer))
        try world.run(for: .milliseconds(25))
        let answer = world.a.inbox.removeFirst { if case .answer = $0.signal { true } else { false } }
        // B makes checks meanwhile, and A's answers to them prove the path to B.
        try world.run(for: .milliseconds(400))
        #expect(world.b.sent.contains { $0.first == 22 })
        #expect(world.a.connection.path == nil && world.a.connection.drops.total == 0)
        world.signal(to: world.a, try #require(answer).signal)
        world.signallingDelay = .zero
        let start = world.now
        #expect(try world.run(for: .seconds(2)) { world.isConnected })
        // The flight that was held is answered at once, with no waiting for its next sending.
        #expect(world.now - start < .milliseconds(110), "\(world.now - start)")
    }
}

extension Array {
    /// Takes the first of its kind out.
    fileprivate mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        firstIndex(where: isMeant).map { remove(at: $0) }
    }
}
