/// One data channel's state at one end.
struct DataChannel: Sendable {
    var description: DataChannelDescription
    /// True if both ends agreed on the channel beforehand, so that no OPEN is sent for it.
    var isNegotiated: Bool
    /// True once the other end has shown that it knows of the channel. Until then all messages are sent in order, so
    /// that none overtakes the OPEN (RFC 8832 section 6).
    var isConfirmed: Bool
    /// True while the channel is being closed: our direction is to be reset.
    var isClosing = false
    /// True once our direction has been reset.
    var isOutgoingReset = false
    /// True once the other end's direction has been reset.
    var isIncomingReset = false
}
