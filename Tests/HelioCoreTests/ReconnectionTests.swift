import HelioCore
import Testing

@Suite("Coming back after an outage")
struct ReconnectionTests {
    /// The result of one attempt over a network that is down until `back`; TCP retransmits each first packet after 1
    /// and 3 seconds.
    private static func connects(at start: Instant, back: Instant, roundTrip: Duration) -> Instant? {
        var answers: [Instant] = []
        for probe in (0..<25).map({ Reconnection.probeInterval * $0 }) {
            for delay in [0, 1, 3] {
                let sent = start + probe + .seconds(delay)
                let answered = sent + roundTrip
                if sent >= back, answered <= start + Reconnection.connectTime { answers.append(answered) }
            }
        }
        return answers.min()
    }

    @Test("the network is away for up to 60 s: the connection is there within 0.3 s and 2 round trips of its return")
    func outages() throws {
        for roundTrip in [Duration.milliseconds(1), .milliseconds(40), .milliseconds(150), .seconds(1)] {
            for outage in stride(from: 6_000, through: 60_000, by: 37) {
                var plan = Reconnection.retry
                let back = Instant.zero + .milliseconds(outage)
                // Both ends notice the loss after 5 s of silence.
                var now = Instant.zero + .seconds(5)
                var connected: Instant?
                while connected == nil {
                    let next = plan.failed(now: now)
                    now = try #require(next, "given up after \(outage) ms")
                    connected = Self.connects(at: now, back: back, roundTrip: roundTrip)
                    now = connected ?? now + Reconnection.connectTime
                }
                #expect(now - back <= .milliseconds(300) + roundTrip * 2)
            }
        }
    }

    @Test("a host that stays away is given up, and a later loss is a new one")
    func patience() {
        var plan = Reconnection.retry
        var now = Instant.zero
        while let next = plan.failed(now: now) { now = next + .milliseconds(500) }
        #expect(now - .zero > .seconds(120) && now - .zero < .seconds(122))
        plan.succeeded()
        #expect(!plan.isTrying)
        #expect(plan.failed(now: now) != nil)
    }
}
