package import HelioCore

/// Conversions of instants to the clocks of RTP and RTCP.
package enum MediaClock {
    /// The RTP timestamp, in 90 kHz (RFC 6184 section 8.2.1); capture time, so that it is enough to rebuild the PTS
    /// (row 11).
    package static func timestamp(_ instant: Instant) -> UInt32 {
        UInt32(truncatingIfNeeded: instant.nanoseconds / 1000 * 9 / 100)
    }

    /// The duration of a widened timestamp, to the microsecond, for any number that the peer may have led it to.
    ///
    /// - Parameter rate: the ticks in a second: video's by default.
    package static func duration(_ ticks: Int64, rate: Int64 = 90_000) -> Duration {
        .seconds(ticks / rate) + .microseconds(ticks % rate * 1_000_000 / rate)
    }

    /// The NTP timestamp: 32 bits of seconds and 32 of fraction (RFC 3550 section 4), on the sender's own clock and
    /// epoch.
    package static func ntp(_ instant: Instant) -> UInt64 {
        let seconds = UInt64(max(0, instant.nanoseconds)) / 1_000_000_000
        let rest = UInt64(max(0, instant.nanoseconds)) % 1_000_000_000
        return seconds << 32 | (rest << 32) / 1_000_000_000
    }

    /// The middle 32 bits of `ntp`, as report blocks quote them.
    package static func compactNTP(_ instant: Instant) -> UInt32 { UInt32(truncatingIfNeeded: ntp(instant) >> 16) }

    /// The round-trip time of a report block (RFC 3550 section 6.4.1); `nil` if it quotes no sender report or a
    /// nonsensical one.
    package static func roundTrip(_ block: ReportBlock, now: Instant) -> Duration? {
        guard block.lastSenderReport != 0 else { return nil }
        let ticks = compactNTP(now) &- block.lastSenderReport &- block.delaySinceLastSenderReport
        // Nothing under way for a minute is a round trip; a negative difference looks like hours.
        guard ticks < 60 << 16 else { return nil }
        return .nanoseconds(Int64(ticks) * 1_000_000_000 >> 16)
    }
}
