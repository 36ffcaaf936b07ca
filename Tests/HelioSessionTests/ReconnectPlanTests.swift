import HelioCore
import HelioSession
import Testing

@Suite("Coming back after an outage")
struct ReconnectPlanTests {
    /// TCP over a network that is away until `back`: its first packet is repeated after 1, 3 and 7 seconds.
    private static func connects(
        at start: Instant, within limit: Duration, back: Instant, roundTrip: Duration
    ) -> Instant? {
        for delay in [0, 1, 3, 7] {
            let sent = start + .seconds(delay)
            let answered = sent + roundTrip
            if sent >= back, answered <= start + limit { return answered }
        }
        return nil
    }

    @Test("the network is away for up to 60 s: the connection is there within 0.4 s and 4 round trips of its return")
    func outages() throws {
        for roundTrip in [Duration.milliseconds(1), .milliseconds(40), .milliseconds(150)] {
            for outage in stride(from: 6_000, through: 60_000, by: 37) {
                var plan = ReconnectPlan()
                let back = Instant.zero + .milliseconds(outage)
                // What both ends notice: 5 s of silence.
                var now = Instant.zero + .seconds(5)
                var connected: Instant?
                while connected == nil {
                    let next = plan.failed(now: now)
                    now = try #require(next, "given up after \(outage) ms")
                    let limit = plan.connectTime(roundTrip: roundTrip)
                    connected = Self.connects(at: now, within: limit, back: back, roundTrip: roundTrip)
                    now = connected ?? now + limit
                }
                #expect(now - back <= .milliseconds(400) + roundTrip * 4)
            }
        }
    }

    @Test("a slow path gets the time that it needs, and the first try has more")
    func slowPath() {
        var plan = ReconnectPlan()
        #expect(plan.connectTime(roundTrip: nil) == .seconds(5))
        _ = plan.failed(now: .zero)
        #expect(plan.connectTime(roundTrip: .milliseconds(600)) == .milliseconds(1800))
        #expect(plan.connectTime(roundTrip: .seconds(30)) == .seconds(5))
    }

    @Test("a host that stays away is given up, and a later loss is a new one")
    func patience() {
        var plan = ReconnectPlan()
        var now = Instant.zero
        while let next = plan.failed(now: now) { now = next + .milliseconds(500) }
        #expect(now - .zero > .seconds(120) && now - .zero < .seconds(122))
        plan.succeeded()
        #expect(!plan.isTrying)
        #expect(plan.failed(now: now) != nil)
    }
}
