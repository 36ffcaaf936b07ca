package import HelioCore

/// Conversions of instants to the clocks of RTP and RTCP.
package enum MediaClock {
    /// The RTP timestamp, in 90 kHz (RFC 6184 section 8.2.1); capture time, so that it is enough to rebuild the PTS
    /// (row 11).
    package static func timestamp(_ instant: Instant) -> UInt32 {
        UInt32(truncatingIfNeeded: instant.nanoseconds / 1000 * 9 / 100)
    }

    /// The 64-bit time that a timestamp stands for: of all that end in it the nearest to a known one.
    package static func widened(_ timestamp: UInt32, near known: Int64) -> Int64 {
        known &+ Int64(Int32(bitPattern: timestamp &- UInt32(truncatingIfNeeded: known)))
    }

    /// The duration of a widened timestamp, to the microsecond, for any number that the peer may have led it to.
    ///
    /// - Parameter rate: the ticks in a second: video's by default.
    package static func duration(_ ticks: Int64, rate: Int64 = 90_000) -> Duration {
        .seconds(ticks / rate) + .microseconds(ticks % rate * 1_000_000 / rate)
    }

    /// The timestamp of sound: sample frames of 48 kHz, widened.
    package static func soundTime(_ instant: Instant) -> Int64 { instant.nanoseconds / 1000 * 6 / 125 }

    /// The NTP timestamp: 32 bits of seconds and 32 of fraction (RFC 3550 section 4), on the sender's own clock and
    /// epoch.
    package static func ntp(_ instant: Instant) -> UInt64 {
        let seconds = UInt64(max(0, instant.nanoseconds)) / 1_000_000_000
        let rest = UInt64(max(0, instant.nanoseconds)) % 1_000_000_000
        return seconds << 32 | (rest << 32) / 1_000_000_000
    }

    /// The instant that an NTP timestamp stands for, on a clock whose epoch is that of NTP; `nil` for 0, by which a
    /// sender says that it has no clock (RFC 3550 section 6.4.1).
    package static func instant(ntp: UInt64) -> Instant? {
        guard ntp != 0 else { return nil }
        let fraction = ((ntp & 0xFFFF_FFFF) * 1_000_000_000) >> 32
        return Instant(nanoseconds: Int64(ntp >> 32) * 1_000_000_000 + Int64(fraction))
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
