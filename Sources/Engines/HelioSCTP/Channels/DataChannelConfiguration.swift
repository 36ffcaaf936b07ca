/// The settings of one end for data channels and, in `association`, for their SCTP association.
package struct DataChannelConfiguration: Sendable {
    package var association = SCTPConfiguration()
    /// The maximum number of channels opened by either end.
    package var maximumChannels = 1024
    /// The peer's `a=max-message-size` in bytes; 65536 if its SDP has none (RFC 8841 section 6.1), 0 for no limit.
    package var peerMaximumMessageSize = 65536
    /// The maximum size of the label, and of the subprotocol, of a channel that the peer opens, in bytes.
    package var maximumTextSize = 4096
    /// The maximum number of queued bytes on one channel; beyond it, `send` throws `bufferFull`.
    package var channelSendLimit = 1 << 20

    package init() {}
}
