import Foundation
import HelioCore
import HelioSCTP
import HelioSimulation
import Testing

@Suite("Messages over bad networks")
struct TransferTests {
    /// The number of seeds; `HELIO_SCTP_RUNS` sets another.
    static let runs = ProcessInfo.processInfo.environment["HELIO_SCTP_RUNS"].flatMap(Int.init) ?? 240

    @Test("every reliable message arrives once, whole, and in order where it has one", arguments: 0..<8)
    func delivers(part: Int) throws {
        for seed in stride(from: part, to: Self.runs, by: 8) { try Self.deliver(seed: UInt64(seed)) }
    }

    /// A run whose network, opener and messages depend on the seed.
    static func deliver(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed ^ 0xABCD)
        let loss = [0, 0.01, 0.05, 0.1, 0.2][Int(seed % 5)]
        let conditions = LinkConditions(
            loss: .random(loss), delay: .milliseconds(Int64.random(in: 0...40, using: &generator)),
            jitter: .milliseconds(Int64.random(in: 0...5, using: &generator)),
            reorder: Double(seed % 3) * 0.1, duplicate: Double(seed % 2) * 0.1)
        var configuration = SCTPConfiguration()
        configuration.acceptsZeroChecksum = seed % 4 != 0
        var world = try AssociationWorld(
            conditions, seed: seed, a: configuration, b: configuration,
            firstTSNs: (UInt32.max - UInt32(seed % 40), UInt32.random(in: 0 ... .max, using: &generator)))
        world.stepper.a.outbox = messages(using: &generator)
        world.stepper.b.outbox = messages(using: &generator)
        world.connect(both: seed % 2 == 0)
        let isDone = try world.run(atMost: .seconds(600)) { $0.stepper.a.hasSentAll && $0.stepper.b.hasSentAll }
        #expect(isDone, "seed \(seed): a has \(world.stepper.a.received.count), b \(world.stepper.b.received.count)")
        check(world.stepper.b.received, are: world.stepper.a.outbox, "seed \(seed), b")
        check(world.stepper.a.received, are: world.stepper.b.outbox, "seed \(seed), a")
    }

    /// Messages on stream 0 unordered, on streams 1 to 3 ordered.
    static func messages(using generator: inout SeededGenerator) -> [AssociationPeer.Message] {
        (0..<24).map { index in
            let count = [8, 100, 1172, 1173, 9000][Int.random(in: 0..<5, using: &generator)]
            let stream = UInt16.random(in: 0...3, using: &generator)
            return .init(stream: stream, payload: payload(index, count), isOrdered: stream != 0)
        }
    }

    static func payload(_ index: Int, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(index))
        for offset in 4..<max(4, count) { bytes.append(UInt8(truncatingIfNeeded: offset &* 7 &+ index)) }
        return bytes
    }

    static func check(_ received: [IncomingMessage], are sent: [AssociationPeer.Message], _ name: String) {
        #expect(received.count == sent.count, "\(name)")
        for stream in UInt16(0)...3 {
            let got = received.filter { $0.stream == stream }.map(\.payload)
            let expected = sent.filter { $0.stream == stream }.map(\.payload)
            if stream == 0 {
                #expect(Set(got) == Set(expected) && got.count == expected.count, "\(name), in no order")
            } else {
                #expect(got == expected, "\(name), stream \(stream)")
            }
        }
    }

    @Test("a message as long as allowed arrives, and a longer one ends the association")
    func longest() throws {
        var world = try AssociationWorld(.lossy1)
        world.connect()
        world.stepper.a.outbox = [.init(stream: 1, payload: Self.payload(1, 256 * 1024))]
        let isDone = try world.run(atMost: .seconds(60)) { $0.stepper.b.received.count == 1 }
        #expect(isDone && world.stepper.b.received.first?.payload == world.stepper.a.outbox[0].payload)
        world.stepper.a.outbox.append(.init(stream: 1, payload: Self.payload(2, 256 * 1024 + 1)))
        try world.run(.seconds(60))
        #expect(world.stepper.b.events.last == .ended(.messageTooLong))
        #expect(world.stepper.a.events.last == .ended(.abortedByPeer(cause: 13)))
    }

    @Test("TSNs wrap wherever they start, under loss", arguments: [0, 1, 2, 5, 20, 60])
    func wrapsTSN(before: UInt32) throws {
        var world = try AssociationWorld(.lossy5, seed: UInt64(before), firstTSNs: (0 &- before, 0 &- before))
        world.connect()
        world.stepper.a.outbox = (0..<80).map { .init(stream: 1, payload: Self.payload($0, 1200)) }
        let isDone = try world.run(atMost: .seconds(60)) { $0.stepper.b.received.count == 80 }
        #expect(isDone && world.stepper.b.received.map(\.payload) == world.stepper.a.outbox.map(\.payload))
    }

    @Test("sequence numbers of a stream wrap")
    func wrapsSequence() throws {
        var world = try AssociationWorld(LinkConditions(loss: .random(0.002), delay: .milliseconds(1)))
        world.connect()
        world.stepper.a.outbox = (0..<66_000).map {
            .init(stream: 1, payload: [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)])
        }
        let isDone = try world.run(atMost: .seconds(600)) { $0.stepper.b.received.count == 66_000 }
        #expect(isDone)
        let isInOrder = zip(world.stepper.b.received, world.stepper.a.outbox).allSatisfy { $0.payload == $1.payload }
        #expect(isInOrder)
    }

    @Test("a clean network is filled: no timeout, no packet twice")
    func clean() throws {
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(10), rate: .megabits(100)))
        world.connect()
        world.stepper.a.outbox = (0..<100).map { .init(stream: 1, payload: Self.payload($0, 20_000)) }
        let start = world.now
        let isDone = try world.run(atMost: .seconds(60)) { $0.stepper.b.received.count == 100 }
        #expect(isDone)
        #expect(world.stepper.b.association.drops[.duplicateData] == 0)
        // 2 MB take 160 ms at this rate, and slow start takes some round trips of 20 ms.
        #expect(world.now - start < .milliseconds(600))
    }

    @Test("unordered messages do not wait for lost ones")
    func unorderedOvertakes() throws {
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(5)))
        world.connect()
        try world.run(.seconds(1))
        // One packet with the first message is lost; the next two messages are sent in separate packets.
        world.stepper.network.aToB.conditions.loss = .random(1)
        world.stepper.a.outbox = [.init(stream: 1, payload: [1])]
        try world.run(.milliseconds(1))
        world.stepper.network.aToB.conditions.loss = .none
        world.stepper.a.outbox += [
            .init(stream: 1, payload: [2]), .init(stream: 1, payload: [3], isOrdered: false),
            .init(stream: 2, payload: [4]),
        ]
        // Streams are scheduled in turn.
        try world.run(.milliseconds(20))
        #expect(world.stepper.b.received.map(\.payload) == [[4], [3]])
        try world.run(.seconds(2))
        #expect(world.stepper.b.received.map(\.payload) == [[4], [3], [1], [2]])
    }

    @Test("what may wait is bounded, and its owner is told of room")
    func backPressure() throws {
        var configuration = SCTPConfiguration()
        configuration.sendLimit = 100_000
        var world = try AssociationWorld(LinkConditions(delay: .milliseconds(5), rate: .megabits(10)), a: configuration)
        var taken = 0
        while (try? world.stepper.a.association.send(
            [UInt8](repeating: 1, count: 10_000), stream: 1, protocolID: 53, now: .zero)) != nil
        {
            taken += 1
        }
        #expect(taken == 9)
        #expect(world.stepper.a.association.bufferedAmount(of: 1) == 90_000)
        world.connect()
        let isTold = try world.run(atMost: .seconds(10)) { $0.stepper.a.low == [1] }
        #expect(isTold)
        #expect(throws: Never.self) {
            try world.stepper.a.association.send(
                [UInt8](repeating: 1, count: 10_000), stream: 1, protocolID: 53, now: world.now)
        }
        #expect(throws: SCTPSendError.messageTooLong) {
            try world.stepper.a.association.send(
                [UInt8](repeating: 1, count: 100_000), stream: 1, protocolID: 53, now: world.now)
        }
        #expect(throws: SCTPSendError.emptyMessage) {
            try world.stepper.a.association.send([], stream: 1, protocolID: 53, now: world.now)
        }
    }
}
