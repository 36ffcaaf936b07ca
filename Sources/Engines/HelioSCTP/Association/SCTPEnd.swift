/// The reason for the end of an association.
package enum SCTPEnd: Hashable, Sendable {
    /// Either end has shut down the association, after all data was sent, or this end before the handshake completed.
    case shutdown
    /// This end's owner has aborted the association.
    case abortedHere
    /// The peer has aborted the association. The cause code is one of RFC 9260 section 3.3.10, or 0 if none was given.
    case abortedByPeer(cause: UInt16)
    /// The peer has violated the protocol.
    case protocolViolation
    /// The peer has sent a message longer than `maximumMessageSize`.
    case messageTooLong
    /// The peer has not answered the handshake.
    case noAnswer
    /// The peer no longer answers.
    case unreachable
}
