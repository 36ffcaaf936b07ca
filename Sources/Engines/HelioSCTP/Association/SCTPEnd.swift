/// Why an association is over.
package enum SCTPEnd: Hashable, Sendable {
    /// Either end asked for it, and all data went before.
    case shutdown
    /// We gave it up, at our owner's wish.
    case abortedHere
    /// The other end gave it up; the cause is RFC 9260 section 3.3.10's, 0 where it named none.
    case abortedByPeer(cause: UInt16)
    /// The other end broke the protocol.
    case protocolViolation
    /// The other end's message is longer than we said we take.
    case messageTooLong
    /// No answer to our first packets.
    case noAnswer
    /// No answer any more.
    case unreachable
}
