package import HelioCore

/// Conversions of instants to the clocks of RTP and RTCP.
package enum MediaClock {
    /// Converts a capture time to a video RTP timestamp, in 1/90,000 s (RFC 6184 section 8.2.1). The receiver rebuilds
    /// the PTS from it (requirement row 11).
    package static func timestamp(_ instant: Instant) -> UInt32 {
        UInt32(truncatingIfNeeded: instant.nanoseconds / 1000 * 9 / 100)
    }

    /// Widens a timestamp to 64 bits: returns the value nearest to `known` whose lower 32 bits are the timestamp.
    package static func widened(_ timestamp: UInt32, near known: Int64) -> Int64 {
        known &+ Int64(Int32(bitPattern: timestamp &- UInt32(truncatingIfNeeded: known)))
    }

    /// The duration of a number of ticks, truncated to microseconds. Does not overflow for any value that a peer can
    /// cause.
    ///
    /// - Parameter rate: the ticks per second, by default those of video.
    package static func duration(_ ticks: Int64, rate: Int64 = 90_000) -> Duration {
        .seconds(ticks / rate) + .microseconds(ticks % rate * 1_000_000 / rate)
    }

    /// Converts an instant to a widened RTP timestamp of sound, in sample frames at 48 kHz.
    package static func soundTime(_ instant: Instant) -> Int64 { instant.nanoseconds / 1000 * 6 / 125 }

    /// The NTP timestamp: 32 bits of seconds and 32 of fraction (RFC 3550 section 4), on the sender's own clock and
    /// epoch.
    package static func ntp(_ instant: Instant) -> UInt64 {
        let seconds = UInt64(max(0, instant.nanoseconds)) / 1_000_000_000
        let rest = UInt64(max(0, instant.nanoseconds)) % 1_000_000_000
        return seconds << 32 | (rest << 32) / 1_000_000_000
    }

    /// Converts an NTP timestamp to an instant on a clock with NTP's epoch; `nil` for 0, which means that the sender
    /// has no clock (RFC 3550 section 6.4.1).
    package static func instant(ntp: UInt64) -> Instant? {
        guard ntp != 0 else { return nil }
        let fraction = ((ntp & 0xFFFF_FFFF) * 1_000_000_000) >> 32
        return Instant(nanoseconds: Int64(ntp >> 32) * 1_000_000_000 + Int64(fraction))
    }

    /// The middle 32 bits of the NTP timestamp, as used in report blocks.
    package static func compactNTP(_ instant: Instant) -> UInt32 { UInt32(truncatingIfNeeded: ntp(instant) >> 16) }

    /// The round-trip time from a report block (RFC 3550 section 6.4.1); `nil` if the block refers to no sender report,
    /// or the result would be negative, or a minute or more.
    package static func roundTrip(_ block: ReportBlock, now: Instant) -> Duration? {
        guard block.lastSenderReport != 0 else { return nil }
        let ticks = compactNTP(now) &- block.lastSenderReport &- block.delaySinceLastSenderReport
        // A negative difference wraps around to hours, so this check refuses it, too.
        guard ticks < 60 << 16 else { return nil }
        return .nanoseconds(Int64(ticks) * 1_000_000_000 >> 16)
    }
}
