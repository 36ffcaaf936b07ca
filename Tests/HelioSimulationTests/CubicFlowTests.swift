import HelioCore
import HelioSimulation
import Testing

@Suite struct CubicFlowTests {
    private static let home = LinkConditions(
        delay: .milliseconds(15), rate: .megabits(10), queueBytes: 10_000_000 / 8 / 4)

    private typealias World = TwoPeerStepper<CubicSender, CubicReceiver>

    private func run(_ conditions: LinkConditions, seconds: Int) throws -> SimulatedRun {
        let flow = CubicFlow()
        var network = SimulatedNetwork(aToB: conditions, bToA: LinkConditions(delay: conditions.delay), seed: 5)
        network.aToB.keepsDepartures = true
        var world = World(a: flow.sender, b: flow.receiver, network: network)
        try world.run(for: .seconds(seconds))
        // The queue during slow start is ignored.
        let settled = Instant.zero + .seconds(5)
        let waits = world.network.aToB.departures.filter { $0.left > settled }.map(\.waited.milliseconds).sorted()
        return SimulatedRun(
            rate: Double(world.b.segments * CubicSender.segmentBytes * 8) / Double(seconds),
            medianWait: waits.isEmpty ? 0 : waits[waits.count / 2], reductions: world.a.reductions,
            timeouts: world.a.timeouts, drops: world.network.aToB.drops[.codel])
    }

    private struct SimulatedRun {
        var rate: Double
        /// The median queuing delay in milliseconds.
        var medianWait: Double
        var reductions: Int
        var timeouts: Int
        var drops: Int
    }

    @Test func itFillsThePathAndTheQueueBeforeIt() throws {
        let run = try run(Self.home, seconds: 30)
        #expect(run.rate > 9_000_000, "\(run.rate) bit/s")
        #expect(run.medianWait > 60, "\(run.medianWait) ms")
        #expect(run.reductions > 1)
        #expect(run.timeouts <= 1)
    }

    @Test("CoDel keeps the queue of a greedy flow near 5 ms, and the path in use")
    func codel() throws {
        var conditions = Self.home
        conditions.discipline = .codel
        let run = try run(conditions, seconds: 30)
        #expect(run.rate > 8_000_000, "\(run.rate) bit/s")
        #expect(run.medianWait < 12, "\(run.medianWait) ms")
        #expect(run.drops > 5)
    }

    @Test func itComesBackAfterTheNetworkWasCut() throws {
        var network = SimulatedNetwork(Self.home, seed: 5)
        network.partition(Instant.zero + .seconds(5)..<Instant.zero + .seconds(7))
        let flow = CubicFlow()
        var world = World(a: flow.sender, b: flow.receiver, network: network)
        try world.run(for: .seconds(8))
        let before = world.b.segments
        let timeouts = world.a.timeouts
        #expect(timeouts >= 1)
        try world.run(for: .seconds(10))
        let after = world.b.segments
        let rate = Double((after - before) * CubicSender.segmentBytes * 8) / 10
        #expect(rate > 8_000_000, "\(rate) bit/s")
    }

    @Test func oneThatBeginsLaterSendsNothingBefore() throws {
        let flow = CubicFlow(start: .zero + .seconds(3))
        var world = World(a: flow.sender, b: flow.receiver, network: SimulatedNetwork(Self.home, seed: 5))
        try world.run(for: .milliseconds(2999))
        let before = world.network.aToB.counts.sent
        #expect(before == 0)
        try world.run(for: .seconds(1))
        let after = world.b.segments
        #expect(after > 100)
    }

    @Test func twoFlowsShareAPath() throws {
        var path = SharedBottleneck(forth: Self.home, back: Self.home, seed: 2)
        var flows = [CubicFlow(), CubicFlow(start: .zero + .seconds(1))]
        var time = VirtualTime()
        let end = Instant.zero + .seconds(40)
        var half: [Int] = []
        var isRunning = true
        while isRunning {
            let now = time.now
            if half.isEmpty, now >= .zero + .seconds(15) { half = flows.map(\.receiver.segments) }
            var isBusy = true
            while isBusy {
                isBusy = false
                for n in flows.indices {
                    while let bytes = flows[n].sender.pollDatagram(now: now) {
                        path.send(bytes, flow: n, .forth, now: now)
                    }
                    while let bytes = flows[n].receiver.pollDatagram(now: now) {
                        path.send(bytes, flow: n, .back, now: now)
                    }
                }
                while let (n, bytes) = path.deliver(.forth, now: now) {
                    flows[n].receiver.receive(bytes, now: now)
                    isBusy = true
                }
                while let (n, bytes) = path.deliver(.back, now: now) {
                    flows[n].sender.receive(bytes, now: now)
                    isBusy = true
                }
            }
            let due = flows.map(\.sender.deadline).reduce(path.deadline) { .earliest($0, $1) }
            isRunning = try time.advance(to: due, until: end)
            for n in flows.indices { flows[n].sender.tick(now: time.now) }
        }
        let segments = zip(flows, half).map { Double($0.receiver.segments - $1) }
        let share = segments[0] / (segments[0] + segments[1])
        #expect(share > 0.15 && share < 0.85, "\(share) of the path")
        let rate = (segments[0] + segments[1]) * Double(CubicSender.segmentBytes * 8) / 25
        #expect(rate > 9_000_000, "\(rate) bit/s")
    }
}
