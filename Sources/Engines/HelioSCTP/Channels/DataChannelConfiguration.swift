/// One end's settings for its data channels and, in `association`, for the association below them.
package struct DataChannelConfiguration: Sendable {
    package var association = SCTPConfiguration()
    /// The most channels, counting those that either end opened.
    package var maximumChannels = 1024
    /// The other end's `a=max-message-size`: 65536 if its SDP names none (RFC 8841 section 6.1), 0 for no limit.
    package var peerMaximumMessageSize = 65536
    /// The most bytes of label and subprotocol of a channel that the other end opens.
    package var maximumTextSize = 4096
    /// The most bytes that may wait on one channel before `send` refuses.
    package var channelSendLimit = 1 << 20

    package init() {}
}
