import HelioCore
import HelioSimulation
import Testing

@Suite struct SharedBottleneckTests {
    private static let narrow = LinkConditions(
        delay: .milliseconds(10), rate: .megabits(8), queueBytes: 50_000)

    @Test func flowsShareTheRateAndEachIsToldItsWaits() {
        var path = SharedBottleneck(forth: Self.narrow, back: Self.narrow, seed: 1)
        var arrived = [0, 0]
        for millisecond in 0..<5000 {
            let now = Instant.zero + .milliseconds(millisecond)
            // One and a half times what fits, from two flows in turn.
            for flow in 0..<2 {
                path.send([UInt8](repeating: UInt8(flow), count: 750), flow: flow, .forth, now: now)
            }
            while let (flow, bytes) = path.deliver(.forth, now: now) {
                #expect(bytes[0] == UInt8(flow))
                arrived[flow] += bytes.count
            }
        }
        let rate = Double(arrived[0] + arrived[1]) * 8 / 5
        #expect(abs(rate - 8_000_000) < 200_000, "\(rate) bit/s")
        for flow in 0..<2 {
            let departures = path.departures(of: flow)
            #expect(departures.allSatisfy { $0.flow == flow && $0.size == 750 })
            let first = departures.first?.waited ?? .seconds(1)
            #expect(first < .milliseconds(1))
            // The queue is full at 50 ms.
            let last = departures.last?.waited ?? .zero
            #expect(last > .milliseconds(40) && last <= .milliseconds(50))
        }
    }

    @Test func theWaysBackAndForthAreApart() {
        var path = SharedBottleneck(forth: Self.narrow, back: .perfect, seed: 1)
        path.send([1], flow: 3, .back, now: .zero)
        let forth = path.deliver(.forth, now: .zero)
        #expect(forth?.flow == nil)
        let back = path.deliver(.back, now: .zero)
        #expect(back?.flow == 3)
        #expect(path.deadline == nil)
        #expect(path.departures(of: 3).isEmpty)
    }

    @Test func conditionsChangeForBothWays() {
        var path = SharedBottleneck(forth: Self.narrow, back: Self.narrow, seed: 1)
        var slower = Self.narrow
        slower.delay = .milliseconds(40)
        path.change(to: slower, at: .zero + .seconds(1))
        for way in SharedBottleneck.Way.allCases {
            path.send([1], flow: 0, way, now: .zero + .seconds(2))
            let early = path.deliver(way, now: .zero + .milliseconds(2039))
            let due = path.deliver(way, now: .zero + .milliseconds(2041))
            #expect(early?.flow == nil)
            #expect(due?.flow == 0)
        }
    }
}
