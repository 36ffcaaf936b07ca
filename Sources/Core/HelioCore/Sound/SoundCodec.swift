/// A codec in which RTP carries sound.
package enum SoundCodec: String, Sendable, Hashable, CaseIterable {
    /// Uncompressed 16-bit samples (L16, RFC 3551 section 4.5.11; row 57).
    case pcm
    /// Opus (RFC 6716), in RTP by RFC 7587.
    case opus
    /// AAC-LC, in RTP by RFC 3640 (row 58).
    case aac
}
