import HelioCore

/// The playout delay: how long the receiver may hold a picture before it is shown (WebRTC's `playout-delay`). Zero and
/// zero: at once, as a shared screen wants it.
///
/// ```
/// | minimum, 10 ms (12) | maximum, 10 ms (12) |
/// ```
package struct PlayoutDelay: RTPExtensionValue {
    package static let uri = "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay"
    package static let none = PlayoutDelay(minimum: 0, maximum: 0)
    /// What libwebrtc goes by where nothing was ever told: as long as it takes, up to 10 s. It keeps what it was told
    /// last.
    package static let usual = PlayoutDelay(minimum: 0, maximum: 1000)
    /// The minimum, in 10 ms, up to 4095.
    package let minimum: UInt16
    /// The maximum, in 10 ms, up to 4095.
    package let maximum: UInt16

    /// Takes minimum and maximum; numbers past 12 bits become the largest.
    package init(minimum: UInt16, maximum: UInt16) {
        self.minimum = min(minimum, 0xFFF)
        self.maximum = min(maximum, 0xFFF)
    }

    /// Reads the data; `nil` also if the minimum is above the maximum.
    package init?(data: RawSpan) {
        guard data.byteCount == 3, let bits = data.uint24(at: 0), bits >> 12 <= bits & 0xFFF else { return nil }
        self.init(minimum: UInt16(bits >> 12), maximum: UInt16(bits & 0xFFF))
    }

    package func write(into data: inout [UInt8]) {
        let bits = UInt32(minimum) << 12 | UInt32(maximum)
        data.append(UInt8(truncatingIfNeeded: bits >> 16))
        data.append(bigEndian: UInt16(truncatingIfNeeded: bits))
    }
}
