package import HelioCore

/// Conversions of instants to the clocks of RTP and RTCP.
package enum MediaClock {
    /// The RTP timestamp, in 90 kHz (RFC 6184 section 8.2.1). It is the capture time, so that the PTS can be rebuilt
    /// from it (row 11).
    package static func timestamp(_ instant: Instant) -> UInt32 {
        UInt32(truncatingIfNeeded: instant.nanoseconds / 1000 * 9 / 100)
    }

    /// Widens a timestamp to 64 bits: the nearest to `known` of all values with the same lower 32 bits.
    package static func widened(_ timestamp: UInt32, near known: Int64) -> Int64 {
        known &+ Int64(Int32(bitPattern: timestamp &- UInt32(truncatingIfNeeded: known)))
    }

    /// The duration of a widened timestamp, to the microsecond, without overflow for any value that a peer can cause.
    ///
    /// - Parameter rate: the ticks per second, by default those of video.
    package static func duration(_ ticks: Int64, rate: Int64 = 90_000) -> Duration {
        .seconds(ticks / rate) + .microseconds(ticks % rate * 1_000_000 / rate)
    }

    /// The widened timestamp of sound, in sample frames of 48 kHz.
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

    /// The middle 32 bits of `ntp`, as report blocks quote them.
    package static func compactNTP(_ instant: Instant) -> UInt32 { UInt32(truncatingIfNeeded: ntp(instant) >> 16) }

    /// The round-trip time from a report block (RFC 3550 section 6.4.1); `nil` if the block refers to no sender report,
    /// or its times are implausible.
    package static func roundTrip(_ block: ReportBlock, now: Instant) -> Duration? {
        guard block.lastSenderReport != 0 else { return nil }
        let ticks = compactNTP(now) &- block.lastSenderReport &- block.delaySinceLastSenderReport
        // A difference of a minute or more is no round trip; a negative one appears as hours.
        guard ticks < 60 << 16 else { return nil }
        return .nanoseconds(Int64(ticks) * 1_000_000_000 >> 16)
    }
}
