package import HelioCore

/// A Reference Picture Selection Indication: a receiver names a picture that the next picture may use as reference (RFC
/// 4585 section 6.3.3, PT 206, FMT 3).
///
/// ```
/// | padding bits (8) |0| payload type (7) | native bit string … | padding |
/// ```
/// The codec defines the bit string; native viewers send the RTP timestamp of the last frame that they received
/// completely. Packets whose bit string does not end at a byte boundary are skipped.
package struct ReferencePictureSelection: Sendable, Hashable {
    /// The maximum length of a bit string, in bytes; a longer one is refused.
    package static let maximumBytes = 64

    package var sender: SSRC
    package var media: SSRC
    package var payloadType: PayloadType
    /// The native bit string, in whole bytes: at most ``maximumBytes``.
    package var picture: [UInt8]

    package init(sender: SSRC, media: SSRC, payloadType: PayloadType, picture: [UInt8]) {
        self.sender = sender
        self.media = media
        self.payloadType = payloadType
        self.picture = picture
    }

    /// Makes a selection whose bit string is a picture's RTP timestamp, big-endian.
    package init(sender: SSRC, media: SSRC, payloadType: PayloadType, timestamp: UInt32) {
        self.init(sender: sender, media: media, payloadType: payloadType, picture: [])
        picture.append(bigEndian: timestamp)
    }

    /// The RTP timestamp that names the picture; `nil` for a bit string that is not 4 bytes long.
    package var timestamp: UInt32? { picture.count == 4 ? picture.span.bytes.uint32(at: 0) : nil }
}
