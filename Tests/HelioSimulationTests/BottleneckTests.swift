import HelioCore
import HelioSimulation
import Testing

@Suite struct BottleneckTests {
    /// 8 Mbit/s: a byte per microsecond.
    private static let fast = LinkConditions(rate: .megabits(8), queueBytes: 100_000)
    private static let slow = LinkConditions(rate: .kilobits(800), queueBytes: 100_000)

    /// The arrival times of datagrams from now on in microseconds, each with its first byte.
    private func arrivals(_ link: inout SimulatedLink) -> [(number: UInt8, at: Int64)] {
        var all: [(number: UInt8, at: Int64)] = []
        while let next = link.deadline {
            while let bytes = link.deliver(now: next.at) { all.append((bytes[0], next.at.microseconds)) }
        }
        return all
    }

    private func send(_ count: Int, over link: inout SimulatedLink) {
        for number in 0..<count { link.send([UInt8](repeating: UInt8(number), count: 1000), now: .zero) }
    }

    @Test func aLowerRateHoldsForWhatWaitsAlready() {
        var link = SimulatedLink(Self.fast, seed: 1)
        link.steps = [(at: .zero + .microseconds(2500), conditions: Self.slow)]
        send(5, over: &link)
        // Half of the third datagram was sent when the rate falls to a tenth.
        let instants = arrivals(&link).map(\.at)
        #expect(instants == [1000, 2000, 7500, 17_500, 27_500])
        #expect(link.steps.isEmpty)
    }

    @Test func aHigherRateHoldsForWhatWaitsAlready() {
        var link = SimulatedLink(Self.slow, seed: 1)
        link.steps = [(at: .zero + .milliseconds(15), conditions: Self.fast)]
        send(4, over: &link)
        let instants = arrivals(&link).map(\.at)
        #expect(instants == [10_000, 15_500, 16_500, 17_500])
    }

    @Test func conditionsThatAreSetHoldFromTheLastCallOn() {
        var link = SimulatedLink(Self.fast, seed: 1)
        send(3, over: &link)
        let first = link.deliver(now: .zero + .microseconds(1500))
        #expect(first != nil)
        link.conditions = Self.slow
        let others = arrivals(&link).map(\.at)
        #expect(others == [6500, 16_500])
        link.send([7], now: .zero + .seconds(1))
        link.conditions.rate = nil
        let last = arrivals(&link).map(\.at)
        #expect(last == [1_000_000])
    }

    @Test func aStepThatNobodyWaitsForIsTakenAllTheSame() {
        var link = SimulatedLink(Self.fast, seed: 1)
        link.steps = [(at: .zero + .seconds(1), conditions: Self.slow)]
        #expect(link.deadline == nil)
        link.send([UInt8](repeating: 7, count: 1000), now: .zero + .seconds(2))
        #expect(link.conditions == Self.slow)
        let instants = arrivals(&link).map(\.at)
        #expect(instants == [2_010_000])
    }

    @Test func aShorterDelayOvertakesNothing() {
        let long = LinkConditions(delay: .milliseconds(100))
        let short = LinkConditions(delay: .milliseconds(10))
        var link = SimulatedLink(long, seed: 1)
        link.steps = [(at: .zero + .milliseconds(50), conditions: short)]
        for number in 0..<100 {
            link.send([UInt8(number)], now: .zero + .milliseconds(number))
        }
        let arrived = arrivals(&link)
        #expect(arrived.map { Int($0.number) } == Array(0..<100))
        #expect(arrived.last?.at == 149_000)
    }

    @Test func theQueueTellsItsDelay() {
        var link = SimulatedLink(Self.fast, seed: 1)
        link.keepsDepartures = true
        send(4, over: &link)
        let half = Instant.zero + .microseconds(500)
        #expect(link.queueDelay(now: half) == .microseconds(3500))
        let arrived = arrivals(&link)
        #expect(arrived.count == 4)
        let waits = link.departures.map(\.waited)
        #expect(waits == (0..<4).map { Duration.milliseconds($0) })
        #expect(link.departures.allSatisfy { $0.size == 1000 && $0.flow == 0 })
    }

    @Test func lostDatagramsHoldTheOthersUp() {
        var conditions = Self.fast
        conditions.loss = .random(0.5)
        var link = SimulatedLink(conditions, seed: 4)
        send(40, over: &link)
        let arrived = arrivals(&link)
        #expect(arrived.count == 40 - link.drops[.lost])
        #expect(link.drops[.lost] > 5)
        // Each surviving datagram arrives when it would without losses.
        #expect(arrived.allSatisfy { $0.at == Int64($0.number) * 1000 + 1000 })
    }

    /// Sends continuously above the link's rate, without congestion control.
    private func flood(_ conditions: LinkConditions, seconds: Int) -> SimulatedLink {
        var link = SimulatedLink(conditions, seed: 3)
        link.keepsDepartures = true
        var now = Instant.zero
        while now < .zero + .seconds(seconds) {
            link.send([UInt8](repeating: 1, count: 1000), now: now)
            while link.deliver(now: now) != nil {}
            now = now + .microseconds(900)
        }
        while let next = link.deadline { while link.deliver(now: next.at) != nil {} }
        return link
    }

    @Test func codelDropsMoreAndMoreOfWhatDoesNotYield() {
        var conditions = Self.fast
        conditions.discipline = .codel
        conditions.queueBytes = 500_000
        let link = flood(conditions, seconds: 30)
        #expect(link.drops[.codel] > 100)
        #expect(link.drops[.queueFull] == 0)
        #expect(link.inFlightCount == 0)
        #expect(link.counts.delivered == link.counts.sent - link.drops.total)
        // A tenth more is sent than the rate: as much is dropped in the end, and the queue of half a second is nearly
        // empty.
        let late = link.departures.suffix(5000).map(\.waited.milliseconds).sorted()
        #expect(late[late.count / 2] < 100, "\(late[late.count / 2]) ms")
    }

    @Test func aShortBurstIsNoneOfCoDelsBusiness() {
        var conditions = Self.fast
        conditions.discipline = .codel
        var link = SimulatedLink(conditions, seed: 1)
        send(60, over: &link)
        let arrived = arrivals(&link)
        #expect(arrived.count == 60)
        #expect(link.drops.total == 0)
    }

    @Test func aGatheringLinkSendsInBurstsWhatItsRateAllows() {
        var conditions = Self.fast
        conditions.aggregation = LinkAggregation()
        conditions.queueBytes = 20_000
        let link = flood(conditions, seconds: 10)
        let bursts = Set(link.departures.map(\.left)).sorted()
        let gaps = zip(bursts, bursts.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 >= .milliseconds(2) && $0 <= .milliseconds(8) })
        let median = gaps.sorted()[gaps.count / 2]
        #expect(median > .microseconds(3500) && median < .microseconds(4500))
        // Unused tokens of one burst are used in the next.
        let bytes = link.departures.map(\.size).reduce(0, +)
        let rate = Double(bytes) * 8 / 10
        #expect(abs(rate - 8_000_000) < 160_000, "\(rate) bit/s")
        #expect(link.counts.delivered == link.counts.sent - link.drops.total)
    }

    @Test func aGatheringLinkSavesNothingUp() {
        var conditions = Self.fast
        conditions.aggregation = LinkAggregation()
        var link = SimulatedLink(conditions, seed: 2)
        link.keepsDepartures = true
        let begin = Instant.zero + .seconds(5)
        for _ in 0..<20 { link.send([UInt8](repeating: 1, count: 1000), now: begin) }
        let arrived = arrivals(&link)
        #expect(arrived.count == 20)
        // 20 ms at the rate: it takes at least that, except for the first burst's share.
        let last = arrived.last?.at ?? 0
        #expect(last >= 5_012_000 && last <= 5_036_000)
    }
}
