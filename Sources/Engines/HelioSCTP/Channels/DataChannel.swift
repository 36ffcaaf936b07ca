/// The state of a data channel.
struct DataChannel: Sendable {
    var description: DataChannelDescription
    /// True if the apps negotiated the channel themselves, so that no OPEN is sent for it.
    var isNegotiated: Bool
    /// True once the peer has acknowledged the channel or sent on it. Until then all messages are sent in order, so
    /// that none overtakes the OPEN (RFC 8832 section 6).
    var isConfirmed: Bool
    /// True once the channel is being closed and the reset of the outgoing stream was requested.
    var isClosing = false
    /// True once the outgoing stream has been reset.
    var isOutgoingReset = false
    /// True once the incoming stream has been reset.
    var isIncomingReset = false
}
