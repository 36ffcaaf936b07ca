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
    /// libwebrtc's default until it receives this extension: any delay up to 10 s. After that it applies the last
    /// received value.
    package static let usual = PlayoutDelay(minimum: 0, maximum: 1000)
    /// The minimum delay, in units of 10 ms, up to 4095.
    package let minimum: UInt16
    /// The maximum delay, in units of 10 ms, up to 4095.
    package let maximum: UInt16

    /// Makes a delay; values above 4095 become 4095.
    package init(minimum: UInt16, maximum: UInt16) {
        self.minimum = min(minimum, 0xFFF)
        self.maximum = min(maximum, 0xFFF)
    }

    /// Reads the data; `nil` if it is not 3 bytes long, or the minimum is above the maximum.
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
