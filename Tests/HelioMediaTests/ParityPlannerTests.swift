import HelioCore
import HelioMedia
import Testing

struct ParityPlannerTests {
    private static func plan(_ share: Double, run: Double? = nil, roundTrip: Int) -> ParityPlan {
        var planner = ParityPlanner()
        planner.update(
            share: share, runLength: run ?? 1 / (1 - share), roundTrip: .milliseconds(roundTrip))
        return planner.plan
    }

    @Test(
        "no parity without loss, nor where retransmissions come in time, nor where all is lost",
        arguments: [
            (0, 20), (0, 200), (0.01, 20), (0.05, 20), (0.01, 40), (0.6, 200), (1, 200),
        ] as [(Double, Int)])
    func none(share: Double, roundTrip: Int) {
        #expect(!Self.plan(share, roundTrip: roundTrip).isActive)
    }

    @Test(
        "parity of a block",
        arguments: [
            // Both of two copies are lost with a probability of 0.25 %: still too often.
            (0.05, 200, 1, 2), (0.02, 200, 1, 1), (0.05, 200, 20, 5),
            (0.01, 200, 20, 2), (0.2, 200, 1, 3), (0.2, 200, 20, 14),
        ] as [(Double, Int, Int, Int)])
    func least(share: Double, roundTrip: Int, sources: Int, parities: Int) {
        #expect(Self.plan(share, roundTrip: roundTrip)[sources] == parities)
    }

    private static func planOfOneEach(_ share: Double, roundTrip: Int = 200) -> ParityPlan {
        var configuration = ParityPlanner.Configuration()
        configuration.reach = .oneOfEach
        var planner = ParityPlanner(configuration)
        planner.update(share: share, runLength: 1 / (1 - share), roundTrip: .milliseconds(roundTrip))
        return planner.plan
    }

    @Test(
        "parity of which each packet restores one, as far as it is worth its price",
        arguments: [
            // A single packet with a loss of 1 % is not worth a parity packet.
            (0.01, 1, 0), (0.01, 5, 1), (0.02, 20, 3), (0.05, 1, 1), (0.05, 5, 1), (0.05, 20, 6), (0.1, 10, 4),
            // Hardly any of these frames would be complete.
            (0.4, 30, 0),
        ] as [(Double, Int, Int)])
    func worthItsPrice(share: Double, sources: Int, parities: Int) {
        #expect(Self.planOfOneEach(share)[sources] == parities)
    }

    @Test func noneOfOneEachWithoutLossOrWhereRetransmissionsCome() {
        #expect(!Self.planOfOneEach(0).isActive)
        #expect(!Self.planOfOneEach(0.02, roundTrip: 20).isActive)
        let plan = Self.planOfOneEach(0.3)
        for sources in 1...48 { #expect(plan[sources] <= (sources + 1) / 2) }
    }

    @Test(
        "a receiver that asks again only after 120 ms gets parity at a round trip of 40 ms, one at 10 does not need it")
    func slowRequests() {
        func plan(_ roundTrip: Int, leastRepeat: Duration) -> ParityPlan {
            var configuration = ParityPlanner.Configuration()
            (configuration.reach, configuration.leastRepeat) = (.oneOfEach, leastRepeat)
            var planner = ParityPlanner(configuration)
            planner.update(share: 0.05, runLength: 1 / 0.95, roundTrip: .milliseconds(roundTrip))
            return planner.plan
        }
        #expect(plan(40, leastRepeat: .milliseconds(120))[10] == 1)
        #expect(plan(40, leastRepeat: .zero)[10] == 0)
        #expect(plan(10, leastRepeat: .milliseconds(120))[10] == 0)
    }

    @Test func moreWhereMoreIsLost() {
        var last = 0
        for percent in [1, 2, 5, 10, 15, 20, 30] {
            let parities = Self.plan(Double(percent) / 100, roundTrip: 200)[30]
            #expect(parities > last)
            last = parities
        }
    }

    @Test func lessWhereARetransmissionMayCome() {
        #expect(Self.plan(0.05, roundTrip: 100)[30] < Self.plan(0.05, roundTrip: 200)[30])
    }

    @Test func moreWherePacketsAreLostInARow() {
        #expect(Self.plan(0.02, run: 6, roundTrip: 200)[30] > Self.plan(0.02, roundTrip: 200)[30] + 3)
    }

    @Test func neverMoreThanTwoAboveTheSources() {
        let plan = Self.plan(0.45, run: 20, roundTrip: 200)
        for sources in 1...48 { #expect(plan[sources] <= sources + 2) }
        #expect(plan[0] == 0)
    }

    @Test func aLongNewPathIsTakenToLoseSomething() {
        var planner = ParityPlanner()
        planner.update(PathLoss(), roundTrip: .milliseconds(200), least: nil, now: .zero)
        #expect(planner.plan.isActive)
        var loss = PathLoss()
        for packet in 0..<1000 {
            let sent = Instant.zero + .milliseconds(packet)
            loss.note(sent: sent, arrival: sent + .milliseconds(100), now: sent + .milliseconds(200))
        }
        planner.update(loss, roundTrip: .milliseconds(200), least: nil, now: .zero + .seconds(2))
        #expect(!planner.plan.isActive)
    }

    @Test("loss counts where it goes on, not where a queue stands or a moment loses much")
    func lossOfThePath() {
        func loss(_ isLost: (Int) -> Bool, delay: (Int) -> Duration = { _ in .milliseconds(50) }) -> PathLoss {
            var loss = PathLoss()
            for packet in 0..<5000 {
                let sent = Instant.zero + .milliseconds(packet)
                loss.note(
                    sent: sent, arrival: isLost(packet) ? nil : sent + delay(packet), now: sent + .milliseconds(100))
            }
            return loss
        }
        let steady = loss { $0 % 20 == 0 }
        #expect((0.05..<0.07).contains(steady.share))
        #expect(steady.runLength < 1.2)
        #expect(loss { (2000..<2100).contains($0) }.share == 0)
        #expect(loss { _ in false }.share == 0)
        let queue = loss(
            { $0 > 1000 && $0 % 10 == 0 }, delay: { .milliseconds($0 > 900 ? 100 : 50) })
        #expect(queue.isQueued)
        #expect(queue.share == 0)
        let rows = loss { $0 % 100 < 4 }
        #expect(abs(rows.runLength - 4) < 0.2)
    }
}
