import HelioCore

/// The audio level of a packet (RFC 6464 section 3).
///
/// ```
/// | V | level below full scale, dB (7) |     V: voice activity
/// ```
package struct AudioLevel: RTPExtensionValue {
    package static let uri = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    /// The level in decibels below full scale: 0 to 127; 127 is silence.
    package let attenuation: UInt8
    package var isVoice: Bool

    package init(attenuation: UInt8, isVoice: Bool) {
        self.attenuation = min(attenuation, 127)
        self.isVoice = isVoice
    }

    package init?(data: RawSpan) {
        guard data.byteCount == 1, let bits = data.uint8(at: 0) else { return nil }
        self.init(attenuation: bits & 0x7F, isVoice: bits & 0x80 != 0)
    }

    package func write(into data: inout [UInt8]) { data.append((isVoice ? 0x80 : 0) | attenuation) }
}
