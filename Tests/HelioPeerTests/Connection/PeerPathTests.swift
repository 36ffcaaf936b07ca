import HelioCore
import HelioICE
import HelioPeer
import HelioSCTP
import HelioSTUN
import HelioSimulation
import Testing

/// Whole connections over IPv6, over TCP, and before the nomination of a pair.
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

    /// UDP is blocked; either end may be the one that listens.
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
        // The TCP connection is closed, and a restart opens another.
        world.closeStreams()
        try world.run(for: .milliseconds(10))
        #expect(world.nodes.allSatisfy { $0.connection.state == .disconnected })
        try world.offer(from: world.a, restartsICE: true)
        #expect(try world.run(for: .seconds(10)) { world.isConnected })
        #expect(world.streams.count == 2)
        try world.call(world.a) { try $0.send(.text([1]), on: channel, now: $1) }
        #expect(try world.run(for: .seconds(15)) { world.a.messages[channel]?.count == 2 })
    }

    /// If both work, UDP is used.
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

    /// Data is sent on a valid pair before nomination (RFC 8445 section 12.1).
    @Test func dataGoesBeforeThePathIsSettledOn() throws {
        let world = PeerWorld(seed: 74) { a, _ in
            // Nomination waits long for a better pair, which never responds.
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
        // No check has nominated the pair by then.
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

    /// DTLS flights of a stranger and of an early peer are held, within bounds, and have no effect before ICE has
    /// validated the peer's address.
    @Test func dtlsFromWhereNobodyWasShownToBe() throws {
        let world = PeerWorld(seed: 75)
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        try world.run(for: .milliseconds(25))
        #expect(world.b.agreements == 1 && world.b.connection.path == nil)
        let stranger = TransportAddress(.v4(0x0909_0909), port: 999)
        let hello: [UInt8] = [22, 0xFE, 0xFD] + [UInt8](repeating: 0, count: 60)
        for _ in 0..<20 { world.give(world.b, .datagram(hello, from: stranger, onLocal: world.b.host)) }
        // Eight datagrams are held.
        #expect(world.b.connection.drops[.unproven] == 12)
        #expect(try world.run(for: .seconds(10)) { world.isConnected && world.b.channel("chat") != nil })
        #expect(world.b.failures.isEmpty && world.b.connection.allDrops.keys.allSatisfy { !$0.hasPrefix("dtls-") })
        // The same applies after the connection is established.
        let before = world.b.connection.drops[.unproven]
        for _ in 0..<20 { world.give(world.b, .datagram(hello, from: stranger, onLocal: world.b.host)) }
        #expect(world.b.connection.drops[.unproven] - before >= 12)
        try world.call(world.a) { connection, now in
            try connection.send(.text([1]), on: try #require(world.a.channel("chat")), now: now)
        }
        #expect(try world.run(for: .seconds(2)) { world.b.messages(on: "chat") == [.text([1])] })
    }

    /// The first DTLS flight is held until a check arrives from its source, and is then processed: no retransmission is
    /// needed.
    @Test func anEarlyFlightIsNotLost() throws {
        let world = PeerWorld(seed: 76, .init(jitter: .zero))
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        // B's answer is slow; its checks and its first flight reach A earlier.
        world.signallingDelay = .milliseconds(20)
        world.gather()
        let offer = try world.call(world.a) { try $0.makeOffer(now: $1) }
        world.signal(to: world.b, .offer(offer))
        try world.run(for: .milliseconds(25))
        let answer = world.a.inbox.removeFirst { if case .answer = $0.signal { true } else { false } }
        // B sends checks meanwhile, and A's responses validate the path to B.
        try world.run(for: .milliseconds(400))
        #expect(world.b.sent.contains { $0.first == 22 })
        #expect(world.a.connection.path == nil && world.a.connection.drops.total == 0)
        world.signal(to: world.a, try #require(answer).signal)
        world.signallingDelay = .zero
        let start = world.now
        #expect(try world.run(for: .seconds(2)) { world.isConnected })
        // The held flight is answered at once, without waiting for its retransmission.
        #expect(world.now - start < .milliseconds(110), "\(world.now - start)")
    }
}

extension Array {
    /// Removes and returns the first matching element.
    fileprivate mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        firstIndex(where: isMeant).map { remove(at: $0) }
    }
}
