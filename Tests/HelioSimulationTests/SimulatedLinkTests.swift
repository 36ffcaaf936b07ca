import HelioCore
import HelioSimulation
import Testing

@Suite struct SimulatedLinkTests {
    /// Sends `count` numbered datagrams of 100 bytes, one per millisecond; returns those that arrive, with their times.
    private func run(_ link: inout SimulatedLink, count: Int) -> [(number: Int, at: Instant)] {
        var arrived: [(number: Int, at: Instant)] = []
        var now = Instant.zero
        func take(until end: Instant) {
            while let next = link.deadline, next.at <= end {
                while let bytes = link.deliver(now: next.at) {
                    arrived.append((Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2]), next.at))
                }
            }
        }
        for number in 0..<count {
            take(until: now)
            var bytes = [UInt8](repeating: 0, count: 100)
            bytes.set(bigEndian: UInt32(number) << 8, at: 0)
            link.send(bytes, now: now)
            now = now + .milliseconds(1)
        }
        take(until: now + .seconds(60))
        return arrived
    }

    @Test func perfectDeliversInTheSameInstant() {
        var link = SimulatedLink(.perfect, seed: 1)
        let arrived = run(&link, count: 100)
        #expect(arrived.map(\.number) == Array(0..<100))
        #expect(arrived.allSatisfy { $0.at == .zero + .milliseconds($0.number) })
    }

    @Test(arguments: LinkConditions.presets.map(\.name))
    func everyDatagramIsAccountedForAndRunsRepeat(preset: String) throws {
        let conditions = try #require(LinkConditions.presets.first { $0.name == preset }).conditions
        var link = SimulatedLink(conditions, seed: 7)
        var again = SimulatedLink(conditions, seed: 7)
        let arrived = run(&link, count: 5000)
        let counts = link.counts
        #expect(counts.sent == 5000)
        #expect(counts.delivered == counts.sent - link.drops.total + counts.duplicated)
        #expect(arrived.count == counts.delivered)
        #expect(link.inFlightCount == 0)
        let repeated = run(&again, count: 5000)
        #expect(repeated.map(\.number) == arrived.map(\.number))
        #expect(repeated.map(\.at) == arrived.map(\.at))
    }

    @Test(arguments: [0.01, 0.05, 0.2])
    func randomLossIsWhatWasAskedFor(share: Double) {
        var link = SimulatedLink(.lossy(share), seed: 3)
        let arrived = run(&link, count: 20_000)
        let lost = 1 - Double(arrived.count) / 20_000
        #expect(abs(lost - share) < 0.01)
    }

    @Test func burstsComeInRuns() {
        var link = SimulatedLink(
            LinkConditions(loss: .bursts(entering: 0.005, leaving: 0.1, lossInBurst: 1)), seed: 5)
        let arrived = run(&link, count: 50_000).map(\.number)
        let gaps = zip(arrived, arrived.dropFirst()).map { $1 - $0 - 1 }.filter { $0 > 0 }
        let mean = Double(gaps.reduce(0, +)) / Double(gaps.count)
        #expect(abs(mean - 10) < 2)
    }

    @Test func jitterKeepsOrderAndReorderingDoesNot() {
        var jittery = SimulatedLink(LinkConditions(delay: .milliseconds(5), jitter: .milliseconds(20)), seed: 1)
        let inOrder = run(&jittery, count: 1000).map(\.number)
        #expect(inOrder == Array(0..<1000))
        var shuffled = SimulatedLink(LinkConditions(delay: .milliseconds(5), reorder: 0.1), seed: 1)
        let arrived = run(&shuffled, count: 1000).map(\.number)
        #expect(arrived != inOrder)
        #expect(arrived.sorted() == inOrder)
        #expect(shuffled.counts.reordered > 50)
    }

    @Test func theBottleneckSpreadsThenDrops() {
        // 8 Mbit/s: a datagram of 1000 bytes takes a millisecond; ten of them fit into the queue.
        var link = SimulatedLink(LinkConditions(rate: .megabits(8), queueBytes: 10_000), seed: 1)
        for _ in 0..<15 { link.send([UInt8](repeating: 0, count: 1000), now: .zero) }
        #expect(link.drops[.queueFull] == 5)
        var instants: [Int64] = []
        while let next = link.deadline, link.deliver(now: next.at) != nil { instants.append(next.at.nanoseconds) }
        #expect(instants == (1...10).map { $0 * 1_000_000 })
    }

    @Test func partitionsLoseAllAndEnd() {
        var link = SimulatedLink(.perfect, seed: 1)
        link.partitions = [Instant.zero + .milliseconds(10)..<Instant.zero + .milliseconds(20)]
        let arrived = run(&link, count: 30).map(\.number)
        #expect(arrived == Array(0..<10) + Array(20..<30))
        #expect(link.drops[.partitioned] == 10)
    }

    @Test func corruptionFlipsOneBit() throws {
        var conditions = LinkConditions.perfect
        conditions.corrupt = 1
        var link = SimulatedLink(conditions, seed: 1)
        link.send([0, 0, 0, 0], now: .zero)
        let delivered = link.deliver(now: .zero)
        let bytes = try #require(delivered)
        #expect(bytes.map(\.nonzeroBitCount).reduce(0, +) == 1)
        #expect(link.counts.corrupted == 1)
    }
}
