import HelioCore
import HelioSCTP
import HelioSimulation
import Testing

@Suite("Partial reliability")
struct PartialReliabilityTests {
    @Test(
        "never sent again: what is lost is lost, the rest comes in order, and nothing stands still",
        arguments: [
            true, false,
        ])
    func noRetransmission(isOrdered: Bool) throws {
        for seed in UInt64(0)..<15 {
            var world = try AssociationWorld(.lossy20, seed: seed)
            world.connect()
            _ = try world.run(atMost: .seconds(60)) { $0.areConnected }
            world.stepper.a.outbox = (0..<60).map {
                .init(
                    stream: 1, payload: TransferTests.payload($0, $0 % 7 == 0 ? 5000 : 300), isOrdered: isOrdered,
                    reliability: .retransmissions(0))
            }
            // A reliable message after them must arrive.
            world.stepper.a.outbox.append(.init(stream: 1, payload: TransferTests.payload(999, 50)))
            let isDone = try world.run(atMost: .seconds(120)) { $0.stepper.a.hasSentAll }
            #expect(isDone, "seed \(seed)")
            try world.run(.seconds(1))
            let sent = world.stepper.a.outbox.map(\.payload)
            let got = world.stepper.b.received.map(\.payload)
            #expect(got.contains(sent[60]), "seed \(seed)")
            #expect(Set(got).isSubset(of: sent) && Set(got).count == got.count)
            #expect(got.count < 61 && got.count > 15, "seed \(seed): \(got.count)")
            if isOrdered {
                let places = got.compactMap { sent.firstIndex(of: $0) }
                #expect(places == places.sorted(), "seed \(seed)")
            }
            // More may be abandoned: those whose acknowledgement was lost.
            #expect(world.stepper.a.association.drops[.abandonedMessage] >= 61 - got.count, "seed \(seed)")
        }
    }

    @Test("a count of retransmissions is the number of times it is sent, less one", arguments: [0, 1, 3])
    func countsRetransmissions(limit: UInt32) throws {
        var world = try AssociationWorld()
        world.connect()
        try world.run(.seconds(1))
        world.stepper.network.aToB.conditions.loss = .random(1)
        world.stepper.a.keepsDatagrams = true
        world.stepper.a.outbox = [.init(stream: 1, payload: [1, 2, 3], reliability: .retransmissions(limit))]
        try world.run(.seconds(40))
        let data = world.stepper.a.datagrams.filter { $0[12] == 0 }
        #expect(data.count == Int(limit) + 1)
        let forwards = world.stepper.a.datagrams.filter { $0[12] == 192 }.count
        #expect(forwards > 0)
        world.stepper.network.aToB.conditions.loss = .none
        try world.run(.seconds(20))
        #expect(world.stepper.a.hasSentAll == true)
        #expect(world.stepper.b.received == [])
    }

    @Test("past its lifetime a message is neither begun nor sent again")
    func lifetime() throws {
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(5), rate: .megabits(1)))
        world.connect()
        try world.run(.seconds(1))
        // Half a second of data, with a lifetime of 200 ms.
        world.stepper.a.outbox = (0..<60).map {
            .init(stream: 1, payload: TransferTests.payload($0, 1000), reliability: .lifetime(.milliseconds(200)))
        }
        let isDone = try world.run(atMost: .seconds(20)) { $0.stepper.a.hasSentAll }
        #expect(isDone)
        let count = world.stepper.b.received.count
        #expect(count > 10 && count < 50, "\(count)")
        #expect(world.stepper.a.association.drops[.expiredMessage] > 0)
        #expect(world.stepper.b.received.map(\.payload) == world.stepper.a.outbox.prefix(count).map(\.payload))
    }

    @Test("a network that is gone for longer than a lifetime gives old messages up and takes new ones")
    func lifetimeAcrossPartition() throws {
        var world = try AssociationWorld()
        world.connect()
        try world.run(.seconds(1))
        world.stepper.network.partition(world.now..<(world.now + .seconds(3)))
        world.stepper.a.outbox = (0..<5).map {
            .init(stream: 1, payload: [UInt8($0)], reliability: .lifetime(.milliseconds(100)))
        }
        try world.run(.seconds(4))
        world.stepper.a.outbox.append(.init(stream: 1, payload: [99], reliability: .lifetime(.seconds(20))))
        try world.run(.seconds(10))
        #expect(world.stepper.b.received.map(\.payload) == [[99]])
    }
}
