/// An error of protecting a packet: a mistake of the caller's, or a key's end of life.
package enum SRTPError: Error, Hashable, Sendable {
    /// Not a whole RTP or RTCP header, or a length of it that isn't the packet's.
    case malformedPacket
    /// The header's 16 bits are not the last ones of the given sequence.
    case sequenceMismatch
    /// Protected before, or too long ago to tell: the same nonce twice would give the key away. To send a
    /// packet again, keep its protected bytes.
    case sequenceReused
    /// One SSRC more than this sender keeps state for.
    case tooManyStreams
    /// 2^48 RTP or 2^31 RTCP packets of an SSRC are sent: a new key is due.
    case keyExhausted
    case crypto(CryptoError)
}
