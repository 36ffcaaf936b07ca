package import HelioCore

/// Converts times of a phone's media to this machine's clock, by the shortest way that any of them has taken: one instant
/// of the phone is one here for its pictures, which its encoder holds back, and for its sound.
package struct PhoneClock: Sendable {
    package enum Medium: Sendable, CaseIterable {
        case picture, sound
    }

    /// The largest difference between media of one clock. Phones that differ more stamp their pictures by another clock
    /// than their sound, such as one that stands still while they sleep.
    private static let mostApart = Duration.seconds(1)

    /// The smallest difference seen between this machine's clock and the times of each medium.
    private var shortest: [Medium: Duration] = [:]

    package init() {}

    /// Returns the instant here, which is never in the future.
    package mutating func instant(of microseconds: Int64, _ medium: Medium, now: Instant) -> Instant {
        let theirs = Instant(nanoseconds: microseconds.multipliedReportingOverflow(by: 1000).partialValue)
        let own = min(shortest[medium] ?? (now - theirs), now - theirs)
        shortest[medium] = own
        let shared = shortest.values.filter { own - $0 <= Self.mostApart }.min() ?? own
        return theirs + min(own, shared)
    }
}
