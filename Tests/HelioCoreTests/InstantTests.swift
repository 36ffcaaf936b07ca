import HelioCore
import Testing

@Suite struct InstantTests {
    @Test(arguments: [
        (Duration.zero, 0 as Int64), (.nanoseconds(1), 1), (.microseconds(-3), -3000),
        (.milliseconds(1500), 1_500_000_000), (.seconds(86_400 * 365), 31_536_000_000_000_000),
        (.nanoseconds(-1_500_000_001), -1_500_000_001), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ])
    func durationsAsNanoseconds(duration: Duration, nanoseconds: Int64) {
        #expect(duration.nanoseconds == nanoseconds)
    }

    @Test func addingAndSubtractingAgree() {
        let instant = Instant(nanoseconds: 5_000_000)
        for duration in [Duration.milliseconds(3), .milliseconds(-9), .zero] {
            #expect((instant + duration) - instant == duration)
            #expect((instant + duration) - duration == instant)
            #expect(instant.advanced(by: duration) == instant + duration)
        }
        #expect(instant < instant + .nanoseconds(1))
        #expect(Instant(nanoseconds: 1999).microseconds == 1)
    }

    @Test func theEarlierDeadlineWins() {
        let early = Deadline(at: .zero, why: "early")
        let late = Deadline(at: .zero + .seconds(1), why: "late")
        #expect(Deadline.earliest(early, late)?.at == early.at)
        #expect(Deadline.earliest(late, early)?.at == early.at)
        #expect(Deadline.earliest(nil, late)?.at == late.at)
        #expect(Deadline.earliest(late, nil)?.at == late.at)
        #expect(Deadline.earliest(nil, nil)?.at == nil)
    }
}
