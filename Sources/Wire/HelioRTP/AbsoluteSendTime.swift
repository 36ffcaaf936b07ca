package import HelioCore

/// The time at which a packet left the sender, on the sender's clock (WebRTC's `abs-send-time`).
///
/// ```
/// | seconds (6) | 2^-18 seconds (18) |
/// ```
/// The value wraps after 64 s.
package struct AbsoluteSendTime: RTPExtensionValue {
    package static let uri = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
    /// The time, 24 bits, in 2^-18 s.
    package let ticks: UInt32

    package init(ticks: UInt32) { self.ticks = ticks & 0xFF_FFFF }

    /// Converts an instant, rounded down.
    package init(_ sent: Instant) {
        let nanoseconds = UInt64(bitPattern: sent.nanoseconds % Self.period)
        let positive = sent.nanoseconds < 0 ? nanoseconds &+ UInt64(Self.period) : nanoseconds
        self.init(ticks: UInt32(truncatingIfNeeded: (positive << 18) / 1_000_000_000))
    }

    package init?(data: RawSpan) {
        guard data.byteCount == 3, let ticks = data.uint24(at: 0) else { return nil }
        self.ticks = ticks
    }

    package func write(into data: inout [UInt8]) {
        data.append(UInt8(truncatingIfNeeded: ticks >> 16))
        data.append(bigEndian: UInt16(truncatingIfNeeded: ticks))
    }

    /// Returns the time since `earlier`, between -32 s and 32 s; the value may have wrapped in between.
    package func since(_ earlier: Self) -> Duration {
        let delta = Int32(bitPattern: (ticks &- earlier.ticks) << 8) >> 8
        return .nanoseconds(Int64(delta) * 1_000_000_000 / 0x4_0000)
    }

    /// The time after which the value wraps, in nanoseconds.
    private static let period: Int64 = 64_000_000_000
}
