/// An error of a data channel.
package enum DataChannelError: Error, Hashable, Sendable {
    /// There is no channel with this number, or it is being closed.
    case notOpen
    /// The number is taken, or one that no channel can have.
    case badNumber
    /// The limit of open channels is reached.
    case tooManyChannels
    /// The label or the subprotocol is longer than 65535 bytes.
    case textTooLong
    /// The send buffer is full: try again when the buffered amount is low.
    case bufferFull
    /// The other end takes no message of this length.
    case messageTooLong
    /// The association is over.
    case ended
}
