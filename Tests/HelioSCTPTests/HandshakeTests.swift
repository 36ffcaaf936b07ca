import HelioCore
import HelioSCTP
import HelioSimulation
import Testing

@Suite("Opening and ending an association")
struct HandshakeTests {
    @Test("one end opens, or both at once", arguments: [false, true])
    func opens(both: Bool) throws {
        var world = try AssociationWorld()
        world.connect(both: both)
        try world.run(.milliseconds(100))
        #expect(world.areConnected == true)
        #expect(world.stepper.a.events == [.connected] && world.stepper.b.events == [.connected])
        #expect(world.stepper.a.association.drops.total == 0)
        world.stepper.a.outbox = [.init(stream: 1, payload: [1, 2, 3])]
        world.stepper.b.outbox = [.init(stream: 2, payload: [4])]
        try world.run(.milliseconds(100))
        #expect(world.stepper.b.received.map(\.payload) == [[1, 2, 3]])
        #expect(world.stepper.a.received.map(\.payload) == [[4]])
    }

    @Test("whichever packets of the handshake are lost, it ends well", arguments: 0..<64)
    func lostPackets(mask: Int) throws {
        for both in [false, true] {
            var world = try AssociationWorld()
            world.stepper.a.outbox = [.init(stream: 0, payload: [7])]
            world.connect(both: both)
            var network = HoledNetwork(mask: mask)
            let isDone = try network.run(&world, atMost: .seconds(60)) {
                $0.areConnected && $0.stepper.b.received.count == 1
            }
            #expect(isDone, "mask \(mask), both \(both)")
            #expect(world.stepper.a.events == [.connected] && world.stepper.b.events == [.connected])
        }
    }

    @Test("without an answer it gives up")
    func noAnswer() throws {
        var world = try AssociationWorld(LinkConditions(loss: .random(1)))
        world.connect()
        try world.run(.seconds(200))
        #expect(world.stepper.a.events == [.ended(.noAnswer)])
        #expect(world.stepper.a.deadline == nil)
    }

    @Test("an end that vanishes is given up, with data under way and without", arguments: [true, false])
    func unreachable(hasData: Bool) throws {
        var configuration = SCTPConfiguration()
        configuration.heartbeatInterval = .seconds(5)
        var world = try AssociationWorld(a: configuration)
        world.connect()
        try world.run(.seconds(1))
        world.stepper.network.partition(world.now..<(world.now + .seconds(1000)))
        if hasData { world.stepper.a.outbox = [.init(stream: 0, payload: [1])] }
        try world.run(.seconds(300))
        #expect(world.stepper.a.events.last == .ended(.unreachable))
    }

    @Test("a quiet association lives on by its heartbeats")
    func heartbeats() throws {
        var world = try AssociationWorld(LinkConditions(loss: .random(0.1), delay: .milliseconds(20)))
        world.connect()
        try world.run(.seconds(3600))
        #expect(world.stepper.a.association.state == .established)
        #expect(world.stepper.b.association.state == .established)
        #expect(world.stepper.network.aToB.counts.sent > 100)
    }

    @Test("a shutdown waits for what was sent, on a bad network, too", arguments: [0, 0.2])
    func shutdown(loss: Double) throws {
        for seed in UInt64(0)..<10 {
            var world = try AssociationWorld(.lossy(loss), seed: seed)
            world.connect()
            _ = try world.run(atMost: .seconds(60)) { $0.areConnected }
            world.stepper.a.outbox = (0..<40).map { .init(stream: 0, payload: [UInt8](repeating: $0, count: 3000)) }
            try world.run(.milliseconds(1))
            world.stepper.a.association.shutdown(now: world.now)
            try world.run(.seconds(300))
            #expect(world.stepper.b.received.count == 40)
            #expect(world.stepper.a.events.last == .ended(.shutdown))
            // The last packet may be lost; it is not repeated to an end that doesn't ask.
            #expect(world.stepper.b.events.last == .ended(.shutdown))
        }
    }

    @Test("both shut down at once")
    func shutdownCollision() throws {
        var world = try AssociationWorld()
        world.connect()
        try world.run(.seconds(1))
        world.stepper.a.association.shutdown(now: world.now)
        world.stepper.b.association.shutdown(now: world.now)
        try world.run(.seconds(10))
        #expect(world.stepper.a.events.last == .ended(.shutdown))
        #expect(world.stepper.b.events.last == .ended(.shutdown))
    }

    @Test func abort() throws {
        var world = try AssociationWorld()
        world.connect()
        try world.run(.seconds(1))
        world.stepper.a.association.abort(now: world.now)
        try world.run(.seconds(1))
        #expect(world.stepper.a.events.last == .ended(.abortedHere))
        #expect(world.stepper.b.events.last == .ended(.abortedByPeer(cause: 12)))
        #expect(throws: SCTPSendError.ended) {
            try world.stepper.a.association.send([1], stream: 0, protocolID: 53, now: world.now)
        }
    }

    @Test("an end that began anew is let in, and the old association's data does not reach it")
    func restart() throws {
        var world = try AssociationWorld()
        world.connect()
        world.stepper.a.outbox = [.init(stream: 3, payload: [1]), .init(stream: 3, payload: [2])]
        try world.run(.seconds(1))
        world.stepper.a = try AssociationPeer(seed: 99)
        world.stepper.a.association.connect(now: world.now)
        world.stepper.a.outbox = [.init(stream: 3, payload: [3])]
        try world.run(.seconds(5))
        #expect(world.stepper.a.events == [.connected])
        #expect(world.stepper.b.events == [.connected, .restarted])
        #expect(world.stepper.b.received.map(\.payload) == [[1], [2], [3]])
        world.stepper.b.outbox = [.init(stream: 3, payload: [4])]
        try world.run(.seconds(5))
        #expect(world.stepper.a.received.map(\.payload) == [[4]])
    }

    @Test("a cookie that came too late is answered, and the handshake begins again")
    func staleCookie() throws {
        var configuration = SCTPConfiguration()
        configuration.cookieLifetime = .milliseconds(15)
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(10)), b: configuration)
        world.connect()
        try world.run(.milliseconds(50))
        #expect(world.stepper.b.isConnected == false)
        #expect(world.stepper.b.association.drops[.staleCookie] > 0)
        world.stepper.network.bToA.conditions.delay = .milliseconds(1)
        world.stepper.network.aToB.conditions.delay = .milliseconds(1)
        try world.run(.seconds(20))
        #expect(world.areConnected == true)
    }
}

/// Loses the handshake packets that a mask selects, in the order in which they are sent.
struct HoledNetwork {
    var mask: Int

    /// Runs a world with the loss set before each step: bit `n` selects whether packet `n` is lost.
    mutating func run(
        _ world: inout AssociationWorld, atMost limit: Duration, until isDone: (borrowing AssociationWorld) -> Bool
    ) throws -> Bool {
        let end = world.now + limit
        while !isDone(world) {
            let sent = world.stepper.network.aToB.counts.sent + world.stepper.network.bToA.counts.sent
            let isLost = sent < 6 && mask >> sent & 1 != 0
            world.stepper.network.aToB.conditions.loss = isLost ? .random(1) : .none
            world.stepper.network.bToA.conditions.loss = isLost ? .random(1) : .none
            guard try world.stepper.step(until: end) else { return isDone(world) }
        }
        return true
    }
}
