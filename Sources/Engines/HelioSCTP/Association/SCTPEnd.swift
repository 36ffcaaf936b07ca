/// A reason for the end of an association.
package enum SCTPEnd: Hashable, Sendable {
    /// Either end asked for it, and all data went before.
    case shutdown
    /// We gave it up, as our owner asked.
    case abortedHere
    /// The other end gave it up; the cause is RFC 9260 section 3.3.10's, 0 if it named none.
    case abortedByPeer(cause: UInt16)
    /// The other end broke the protocol.
    case protocolViolation
    /// The other end's message is longer than we said we take.
    case messageTooLong
    /// The other end never answered our first packets.
    case noAnswer
    /// The other end no longer answers.
    case unreachable
}
