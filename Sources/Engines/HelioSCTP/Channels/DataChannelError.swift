/// The reason why a data channel can't be opened, or a message can't be queued.
package enum DataChannelError: Error, Hashable, Sendable {
    /// The channel with this ID does not exist, or is being closed.
    case notOpen
    /// The stream number is in use, or beyond the valid range.
    case badNumber
    /// The maximum number of channels is open.
    case tooManyChannels
    /// The label or the subprotocol is longer than 65535 bytes.
    case textTooLong
    /// The send buffer is full; try again after `bufferedAmountLow`.
    case bufferFull
    /// The message exceeds the peer's maximum size, or the send buffer.
    case messageTooLong
    /// The association has ended.
    case ended
}
