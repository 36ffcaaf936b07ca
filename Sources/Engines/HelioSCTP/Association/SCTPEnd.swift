/// A reason for the end of an association.
package enum SCTPEnd: Hashable, Sendable {
    /// Either end shut the association down, after all data was sent.
    case shutdown
    /// Our owner aborted the association.
    case abortedHere
    /// The other end aborted the association; the cause is one of RFC 9260 section 3.3.10, or 0 if none was named.
    case abortedByPeer(cause: UInt16)
    /// The other end broke the protocol.
    case protocolViolation
    /// The other end's message is longer than the maximum that we announced.
    case messageTooLong
    /// The other end never answered our first packets.
    case noAnswer
    /// The other end no longer answers.
    case unreachable
}
