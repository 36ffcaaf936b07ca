/// An error of encrypting a packet: a mistake of the caller, or the end of the key's lifetime.
package enum SRTPError: Error, Hashable, Sendable {
    /// The packet has no complete RTP or RTCP header, or is shorter than the given header length.
    case malformedPacket
    /// The sequence number in the header is not the low 16 bits of the given sequence.
    case sequenceMismatch
    /// The sequence number was used before, or is too old to be checked; the reuse of a nonce would compromise the key.
    /// To retransmit a packet, store its encrypted bytes.
    case sequenceReused
    /// A new SSRC beyond the limit of this sender.
    case tooManyStreams
    /// 2^48 RTP or 2^31 RTCP packets of an SSRC have been sent, so a new key is needed.
    case keyExhausted
    case crypto(CryptoError)
}
