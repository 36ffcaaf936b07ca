import HelioCore
import Testing

@Suite("Measuring a round trip often")
struct QuickMeasuringTests {
    @Test("for a second from the last wish on")
    func second() {
        var quick = QuickMeasuring()
        var next = Instant.zero + .seconds(5)
        #expect(!quick.isOn(now: .zero))
        for start in [Instant.zero, .zero + .milliseconds(900)] {
            quick.begin(now: start, next: &next)
            #expect(quick.isOn(now: start) && quick.isOn(now: start + .milliseconds(999)))
        }
        #expect(!quick.isOn(now: .zero + .milliseconds(1900)))
    }

    @Test("the next measurement comes soon, and no later than it would have come")
    func next() {
        var quick = QuickMeasuring()
        var next = Instant.zero + .seconds(1)
        quick.begin(now: .zero, next: &next)
        #expect(next == Instant.zero + QuickMeasuring.interval)
        quick.begin(now: .zero + .milliseconds(30), next: &next)
        #expect(next == Instant.zero + QuickMeasuring.interval)
    }
}
