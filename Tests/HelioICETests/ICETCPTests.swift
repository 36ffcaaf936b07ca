import HelioCore
import HelioICE
import HelioSTUN
import HelioSimulation
import Testing

/// TCP candidates (RFC 6544): one end is active, the other passive.
struct ICETCPTests {
    /// `a` connects, `b` listens.
    private func world(
        seed: UInt64 = 1, _ place: ICENode.Place = .symmetric, aControls: Bool = true,
        configure: (inout ICESettings, inout ICESettings) -> Void = { _, _ in }
    ) throws -> ICEWorld {
        let world = try ICEWorld(seed: seed, place, .open, usesServer: false) { a, b in
            a.isControlling = aControls
            b.isControlling = !aControls
            configure(&a, &b)
        }
        world.a.mayConnect = true
        world.b.listens = TransportAddress(world.b.host.ip, port: world.b.host.port, transport: .tcp)
        return world
    }

    /// Priorities of RFC 6544 section 4.2, computed by hand.
    @Test func candidatesAreTold() throws {
        let world = try world(.open)
        world.start()
        let active = try #require(world.a.candidates().last)
        #expect(active.attribute.attributeValue == "2 1 tcp 1524629503 198.51.100.1 9 typ host tcptype active")
        let passive = try #require(world.b.candidates().last)
        #expect(passive.attribute.attributeValue == "2 1 tcp 1520435199 198.51.100.2 5000 typ host tcptype passive")
        #expect(90 << 24 | (6 << 13 | 8191) << 8 | 255 == 1_524_629_503 as UInt32)
        let udp = try #require(world.b.candidates().first)
        #expect(udp.priority > passive.priority && udp.foundation != passive.foundation)
        for (kind, role, direction) in [
            (CandidateKind.peerReflexive, CandidateTransport.TCPRole.active, 4 as UInt32),
            (.peerReflexive, .passive, 2), (.host, .simultaneousOpen, 2), (.serverReflexive, .simultaneousOpen, 6),
        ] {
            let priority = kind.priority(role, localPreference: 0)
            #expect(priority >> 21 & 7 == direction)
            #expect(priority > CandidateKind.relayed.priority(localPreference: .max))
            #expect(priority < CandidateKind.serverReflexive.priority(localPreference: 0))
        }
    }

    @Test(arguments: [ICENode.Place.open, .symmetric], [true, false])
    func connectsWhereUDPIsBlocked(_ place: ICENode.Place, aControls: Bool) throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            let world = try world(seed: seed, place, aControls: aControls)
            world.blocksUDP = true
            world.start()
            #expect(try world.run(for: .seconds(5)) { world.isConnected }, "seed \(seed)")
            let (a, b) = (try #require(world.a.agent.selectedPair), try #require(world.b.agent.selectedPair))
            #expect(a.base.transport == .tcp && a.remote == world.b.listens && a.remoteKind == .host)
            #expect(b.base == world.b.listens && b.remote.transport == .tcp && b.remoteKind == .peerReflexive)
            #expect(b.remote.ip == world.a.nat?.outside ?? world.a.host.ip)
            #expect(world.b.connects.isEmpty && world.a.connects == [world.b.listens])
            // Consent checks use the TCP connection as well.
            try world.run(for: .seconds(60))
            #expect(world.isConnected)
            #expect(world.a.agent.drops.total == 0 && world.b.agent.drops.total == 0)
        }
    }

    /// Two lost checks delay the next by one and a half seconds; TCP works at once.
    @Test(arguments: [true, false])
    func waitsForUDPThatLosesItsFirstChecks(aControls: Bool) throws {
        let world = try world(.open, aControls: aControls)
        world.loses = { [unowned world] _, _ in world.now < .zero + .milliseconds(700) }
        world.start()
        #expect(try world.run(for: .seconds(1)) { world.a.agent.dataPath?.base.transport == .tcp }, "data can go")
        #expect(try world.run(for: .seconds(4)) { world.isConnected })
        for node in [world.a, world.b] { #expect(node.agent.selectedPair?.base.transport == .udp) }
    }

    @Test func prefersUDP() throws {
        let world = try world(.portRestricted)
        world.start()
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
        #expect(world.a.agent.selectedPair?.base == world.a.host)
        #expect(world.b.agent.selectedPair?.base == world.b.host)
    }

    /// Over TCP each check is sent once, since TCP retransmits; over UDP it is sent seven times.
    @Test func checksAreNotRepeated() throws {
        let world = try world(.open)
        world.blocksUDP = true
        world.exchangeCredentials()
        world.b.signalsCandidates = true
        world.start(exchangesCredentials: false)
        // The TCP server accepts, but doesn't respond.
        #expect(try world.run(for: .seconds(2)) { !world.connections.isEmpty })
        world.connections.first?.isClosed = true
        try world.run(for: .seconds(60))
        let byTCP = world.a.sent.filter { $0.from.transport == .tcp }
        #expect(byTCP.count == 1)
        #expect(world.a.sent.filter { $0.from.transport == .udp }.count == 7)
        #expect(world.a.agent.state == .failed)
    }

    /// TCP and UDP sockets with the same address and port; they are never paired.
    @Test func protocolsStayApart() throws {
        let world = try world(.open)
        world.a.listens = TransportAddress(world.a.host.ip, port: world.a.host.port, transport: .tcp)
        world.b.mayConnect = true
        world.start()
        try world.run(for: .seconds(3))
        #expect((world.a.sent + world.b.sent).allSatisfy { $0.from.transport == $0.to.transport })
        #expect(world.a.host != world.a.listens && "\(world.a.listens!)" == "tcp \(world.a.host)")
    }

    /// Two passive ends never connect, whatever candidates they get.
    @Test func passiveCandidatesPairWithNothingSignalled() throws {
        let world = try world(.open)
        world.blocksUDP = true
        world.a.mayConnect = false
        world.a.listens = TransportAddress(world.a.host.ip, port: 7000, transport: .tcp)
        world.start()
        try world.run(for: .seconds(3))
        #expect(world.a.connects.isEmpty && world.b.connects.isEmpty)
        #expect((world.a.sent + world.b.sent).allSatisfy { $0.from.transport == .udp })
    }

    /// The connection is refused or gets no response: the pair fails, and the agent with it.
    @Test(arguments: [true, false])
    func refusedConnectionFails(isSilent: Bool) throws {
        let world = try world(.open) { a, b in
            a.attempts = 3
            b.attempts = 3
            a.lastWait = 4
            b.lastWait = 4
            a.patience = .seconds(1)
            b.patience = .seconds(1)
        }
        world.blocksUDP = true
        world.blocksTCP = isSilent
        let listens = try #require(world.b.listens)
        world.start()
        if !isSilent { world.b.listens = TransportAddress(listens.ip, port: 1, transport: .tcp) }
        try world.run(for: .milliseconds(isSilent ? 14_000 : 2000))
        #expect(world.a.connects == [listens] && world.a.agent.state == .checking)
        try world.run(for: .milliseconds(4000))
        #expect(world.a.agent.state == .failed)
    }

    /// A closed connection is noticed at once, not only when consent expires.
    @Test func lostConnectionIsNoticed() throws {
        let world = try world()
        world.blocksUDP = true
        world.start()
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
        try world.run(for: .seconds(2))
        world.closeConnections()
        #expect(world.a.agent.state == .disconnected && world.b.agent.state == .disconnected)
        try world.run(for: .seconds(35))
        #expect(world.a.agent.state == .failed && world.b.agent.state == .failed)
        #expect(world.a.agent.deadline == nil)
    }

    /// If UDP was validated too, it is used once the TCP connection has closed.
    @Test func restartMovesOver() throws {
        let world = try world(.portRestricted)
        world.blocksUDP = true
        world.start()
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
        world.blocksUDP = false
        world.give(world.a, .restart)
        world.give(world.b, .restart)
        world.exchangeCredentials()
        #expect(
            try world.run(for: .seconds(20)) {
                world.isConnected && world.a.agent.selectedPair?.base == world.a.host
            })
        #expect(world.b.agent.selectedPair?.base == world.b.host)
        // Events of the old connection have no effect any more.
        world.closeConnections()
        #expect(world.a.agent.state == .connected && world.b.agent.state == .connected)
    }

    /// A restart over TCP opens a new connection; data uses the old one until then.
    @Test func restartConnectsAgain() throws {
        let world = try world()
        world.blocksUDP = true
        world.start()
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
        let before = world.a.agent.selectedPair
        world.give(world.a, .restart)
        #expect(world.a.agent.selectedPair == before && world.a.agent.state == .connected)
        world.give(world.b, .restart)
        world.exchangeCredentials()
        #expect(
            try world.run(for: .seconds(20)) {
                world.isConnected && world.a.agent.selectedPair != before
            })
        #expect(world.connections.count == 2)
    }

    /// A lite agent is reachable by TCP as well.
    @Test func liteAgentIsFound() throws {
        let world = try world { _, b in b.isLite = true }
        world.blocksUDP = true
        world.exchangeCredentials(isLiteB: true)
        world.start(exchangesCredentials: false)
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
        #expect(world.b.agent.selectedPair?.base == world.b.listens)
    }

    /// A driver that reports connections that were not requested.
    @Test func strangeConnectionsAreNothing() throws {
        let world = try world(.open)
        world.start()
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
        let (here, there) = (
            TransportAddress(.v4(1), port: 2, transport: .tcp), TransportAddress(.v4(3), port: 4, transport: .tcp)
        )
        world.give(world.a, .connected(from: here, to: there, local: here))
        world.give(world.a, .disconnected(from: here, to: there))
        world.give(world.b, .disconnected(from: world.b.host, to: there))
        #expect(world.isConnected)
    }
}
