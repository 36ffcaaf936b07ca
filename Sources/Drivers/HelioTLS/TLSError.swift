/// An error of TLS, in the handshake or later.
package enum TLSError: Error, Hashable, Sendable {
    /// The peer's certificate was refused, for this reason.
    case certificateRefused(String)
    /// The peer ended the connection with an alert of this number (RFC 8446 section 6.2).
    case alert(UInt8)
    /// The input is not TLS, has an insecure version, or contains a forged record.
    case refused(String)
    /// The connection ended during the handshake.
    case endedEarly
    /// The connection ended without close_notify: data may be missing.
    case truncated
    /// Too many key updates, tickets or requests to renegotiate without data in between, or with unread answers.
    case flooded
    /// More was written before the end of the handshake than may be queued.
    case tooMuchWaiting
}
