/// Why there is no TLS, or none any more.
package enum TLSError: Error, Hashable, Sendable {
    /// The peer could not show who it is, for this reason.
    case certificateRefused(String)
    /// The peer ended it, and says why by a number (RFC 8446 section 6.2).
    case alert(UInt8)
    /// What came is no TLS, or none that is safe: an older version, a forged record.
    case refused(String)
    /// The connection ended in the midst of the handshake.
    case endedEarly
    /// The connection ended without a good-bye: what came may not have been all.
    case truncated
    /// Key updates, tickets or wishes to renegotiate, over and over, with nothing in between or nobody to read the answers.
    case flooded
    /// More was written before the end of the handshake than is kept.
    case tooMuchWaiting
}
