import HelioCore

/// The playout delay: how long the receiver may delay a picture before it is shown (WebRTC's `playout-delay`). Zero for
/// both means immediately, which a shared screen needs.
///
/// ```
/// | minimum, 10 ms (12) | maximum, 10 ms (12) |
/// ```
package struct PlayoutDelay: RTPExtensionValue {
    package static let uri = "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay"
    package static let none = PlayoutDelay(minimum: 0, maximum: 0)
    /// The delay that libwebrtc uses until it receives one: any delay up to 10 s. It applies the last one that it
    /// received.
    package static let usual = PlayoutDelay(minimum: 0, maximum: 1000)
    /// The minimum, in 10 ms, up to 4095.
    package let minimum: UInt16
    /// The maximum, in 10 ms, up to 4095.
    package let maximum: UInt16

    /// Makes a delay; values beyond 12 bits become the largest.
    package init(minimum: UInt16, maximum: UInt16) {
        self.minimum = min(minimum, 0xFFF)
        self.maximum = min(maximum, 0xFFF)
    }

    /// Reads the data; `nil` for a wrong length, and if the minimum is above the maximum.
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
