package import HelioCore

/// A receiver's estimate of the available bitrate on the path to it: REMB (draft-alvestrand-rmcat-remb-03, PT 206, FMT
/// 15).
///
/// ```
/// | 'R' 'E' 'M' 'B' | number of SSRCs (8) | exponent (6) | mantissa (18) | SSRC … |
/// ```
package struct ReceiverEstimatedBitrate: Sendable, Hashable {
    package var sender: SSRC
    /// The bitrate; it is written with 18 significant bits, rounded down.
    package var bitrate: Bitrate
    /// The streams that share the bitrate, at most 255.
    package var streams: [SSRC]

    package init(sender: SSRC, bitrate: Bitrate, streams: [SSRC]) {
        self.sender = sender
        self.bitrate = bitrate
        self.streams = streams
    }

    static let identifier: UInt32 = 0x5245_4D42

    /// The 24 bits of exponent and mantissa.
    var coded: UInt32 {
        let value = UInt64(max(0, bitrate.bitsPerSecond))
        let exponent = max(0, 64 - value.leadingZeroBitCount - 18)
        return UInt32(exponent) << 18 | UInt32(value >> UInt64(exponent))
    }

    /// Reads the 24 bits; `nil` if the bitrate exceeds 63 bits.
    static func decode(_ coded: UInt32) -> Bitrate? {
        let exponent = Int(coded >> 18 & 0x3F)
        let mantissa = Int(coded & 0x3_FFFF)
        let value = mantissa << exponent
        return value >= 0 && value >> exponent == mantissa ? Bitrate(bitsPerSecond: value) : nil
    }
}
