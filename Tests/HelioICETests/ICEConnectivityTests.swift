import HelioCore
import HelioICE
import HelioSTUN
import Testing

/// Two agents behind NATs of all kinds, with loss.
struct ICEConnectivityTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var a: ICENode.Place
        var b: ICENode.Place
        var testDescription: String { "\(a.name) to \(b.name)" }
        init(_ a: ICENode.Place, _ b: ICENode.Place) {
            self.a = a
            self.b = b
        }
    }

    /// All combinations that can connect without a relay.
    static let direct = [
        Case(.open, .open), Case(.open, .symmetric), Case(.portRestricted, .open), Case(.fullCone, .symmetric),
        Case(.restricted, .restricted), Case(.portRestricted, .portRestricted), Case(.symmetric, .restricted),
    ]

    @Test(arguments: direct, [0, 0.05, 0.1, 0.2])
    func findsADirectWay(_ way: Case, loss: Double) throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            let world = try ICEWorld(seed: seed, way.a, way.b, loss: loss)
            world.start()
            let isDone = try world.run(for: .seconds(60)) { world.isConnected }
            try #require(isDone, "seed \(seed): \(world.a.agent.state), \(world.b.agent.state)")
            // The selected pair and the state don't change later.
            try world.run(for: .seconds(10))
            #expect(world.isAlive, "seed \(seed)")
            #expect(world.a.agent.isControlling && !world.b.agent.isControlling)
            for node in [world.a, world.b] {
                #expect(node.states().prefix(2) == [.checking, .connected] && !node.states().contains(.failed))
                #expect(node.selections().allSatisfy { $0?.localKind == .host }, "seed \(seed)")
            }
        }
    }

    /// Without loss, the agents connect within a few round trips; the remaining time is pacing.
    @Test func isQuick() throws {
        let world = try ICEWorld(seed: 1, .portRestricted, .portRestricted)
        world.start()
        #expect(try world.run(for: .milliseconds(1000)) { world.isConnected })
        #expect(world.a.agent.drops.total == 0 && world.b.agent.drops.total == 0)
    }

    @Test(arguments: [Case(.symmetric.withRelay, .symmetric), Case(.symmetric, .portRestricted.withRelay)], [0, 0.2])
    func goesByARelayWhereItMust(_ way: Case, loss: Double) throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            let world = try ICEWorld(seed: seed, way.a, way.b, loss: loss)
            world.start()
            #expect(try world.run(for: .seconds(60)) { world.isConnected }, "seed \(seed)")
            let (owner, other) = way.a.hasRelay ? (world.a, world.b) : (world.b, world.a)
            #expect(owner.agent.selectedPair?.base == owner.relay, "seed \(seed)")
            #expect(other.agent.selectedPair?.remote == owner.relay, "seed \(seed)")
        }
    }

    /// A relayed pair is selected only if no other works.
    @Test func prefersTheDirectWay() throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            let world = try ICEWorld(seed: seed, .portRestricted.withRelay, .fullCone.withRelay, loss: 0.02)
            world.start()
            #expect(try world.run(for: .seconds(30)) { world.isConnected })
            #expect(world.a.agent.selectedPair?.localKind == .host && world.b.agent.selectedPair?.localKind == .host)
        }
    }

    /// Without any valid pair, both agents fail, and send nothing more.
    @Test func failsWhereThereIsNoWay() throws {
        let world = try ICEWorld(seed: 4, .symmetric, .symmetric)
        world.start()
        try world.run(for: .seconds(80))
        for node in [world.a, world.b] {
            #expect(node.states() == [.checking, .failed] && node.selections().isEmpty)
            #expect(node.agent.deadline == nil)
            #expect((node.sent.last?.at ?? .zero) < .zero + .seconds(45))
        }
    }

    /// A peer whose candidates never arrive (RFC 8863 section 4).
    @Test func losesPatience() throws {
        let world = try ICEWorld(seed: 4)
        world.b.signalsCandidates = false
        world.give(world.a, .localCandidate(.host(world.a.host)))
        world.give(world.a, .remoteCredentials(world.b.agent.localCredentials, isLite: false))
        try world.run(for: .milliseconds(39_400))
        #expect(world.a.agent.state == .checking)
        try world.run(for: .milliseconds(200))
        #expect(world.a.agent.state == .failed)
    }

    @Test(arguments: [true, false], [0, 0.1])
    func roleConflictIsSettled(bothControl: Bool, loss: Double) throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let world = try ICEWorld(seed: seed, .restricted, .open, loss: loss) { a, b in
                a.isControlling = bothControl
                b.isControlling = bothControl
            }
            world.start()
            #expect(try world.run(for: .seconds(60)) { world.isConnected }, "seed \(seed)")
            #expect(world.a.agent.isControlling != world.b.agent.isControlling, "seed \(seed)")
            try world.run(for: .seconds(40))
            #expect(world.isAlive, "seed \(seed)")
        }
    }

    /// A lite agent with a public address, which sends no checks.
    @Test(arguments: [0, 0.2], [true, false])
    func liteAgentIsFound(loss: Double, liteOffers: Bool) throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            let world = try ICEWorld(seed: seed, .symmetric, .open, loss: loss) { a, b in
                a.isControlling = !liteOffers
                b.isControlling = liteOffers
                b.isLite = true
            }
            world.exchangeCredentials(isLiteB: true)
            world.start(exchangesCredentials: false)
            #expect(try world.run(for: .seconds(60)) { world.isConnected }, "seed \(seed)")
            #expect(world.a.agent.isControlling && !world.b.agent.isControlling)
            // A loss of a fifth in both directions would by itself let one consent in some hundreds expire.
            world.settings(loss: min(loss, 0.1))
            try world.run(for: .seconds(60))
            #expect(world.isAlive, "seed \(seed)")
            // The lite agent has sent no requests.
            let requests = world.b.sent.filter { $0.bytes.span.bytes.uint16(at: 0) == 0x0001 }
            #expect(requests.isEmpty)
        }
    }

    @Test func wrongPasswordLeadsNowhere() throws {
        let world = try ICEWorld(seed: 2)
        let wrong = try #require(
            ICECredentials(
                usernameFragment: world.b.agent.localCredentials.usernameFragment,
                password: "thisIsNotThePassword12"))
        world.signal(to: world.a, .remoteCredentials(wrong, isLite: false))
        world.signal(to: world.b, .remoteCredentials(world.a.agent.localCredentials, isLite: false))
        world.start(exchangesCredentials: false)
        try world.run(for: .seconds(90))
        #expect(world.a.agent.state == .failed && world.b.agent.state == .failed)
        #expect(world.a.selections().isEmpty && world.b.selections().isEmpty)
        #expect(world.b.agent.drops[.badIntegrity] > 0)
    }

    /// The answer is delayed, and its sender's checks arrive first.
    @Test func earlyChecksAreHeld() throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            let world = try ICEWorld(seed: seed, .open, .portRestricted)
            world.start(exchangesCredentials: false)
            world.give(world.b, .remoteCredentials(world.a.agent.localCredentials, isLite: false))
            try world.run(for: .seconds(3))
            #expect(world.a.agent.state == .new && world.b.agent.state == .checking)
            world.give(world.a, .remoteCredentials(world.b.agent.localCredentials, isLite: false))
            // The held check triggers its pair at once: no candidate of B was needed.
            #expect(try world.run(for: .milliseconds(700)) { world.isConnected })
        }
    }

    /// Equal seeds give equal runs, datagram by datagram.
    @Test func runsAreRepeatable() throws {
        func run(_ seed: UInt64) throws -> [[UInt8]] {
            let world = try ICEWorld(seed: seed, .restricted, .portRestricted.withRelay, loss: 0.1)
            world.start()
            try world.run(for: .seconds(20))
            return world.a.sent.map(\.bytes) + world.b.sent.map(\.bytes)
        }
        #expect(try run(5) == run(5))
        #expect(try run(5) != run(6))
    }
}
