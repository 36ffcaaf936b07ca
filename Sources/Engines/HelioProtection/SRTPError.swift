/// An error of protecting a packet: a mistake of the caller's, or a key's end of life.
package enum SRTPError: Error, Hashable, Sendable {
    /// The packet has no complete RTP or RTCP header, or not the given header length.
    case malformedPacket
    /// The sequence number in the header is not the low 16 bits of the given sequence.
    case sequenceMismatch
    /// The sequence was protected before, or too long ago to tell: using a nonce twice would reveal the key. To send a
    /// packet again, keep its protected bytes.
    case sequenceReused
    /// A new SSRC beyond the limit of this sender.
    case tooManyStreams
    /// 2^48 RTP or 2^31 RTCP packets of an SSRC have been sent: a new key is needed.
    case keyExhausted
    case crypto(CryptoError)
}
