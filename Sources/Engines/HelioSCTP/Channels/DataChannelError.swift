/// Why a data channel could not do as it was told.
package enum DataChannelError: Error, Hashable, Sendable {
    /// There is none with this number, or it is being closed.
    case notOpen
    /// The number is taken, or one that no channel can have.
    case badNumber
    /// As many as are allowed are open.
    case tooManyChannels
    /// Label or subprotocol have more bytes than the other end need take.
    case textTooLong
    /// What waits already is as much as is kept: try again when the buffered amount is low.
    case bufferFull
    /// The other end takes none so long.
    case messageTooLong
    /// The association is over.
    case ended
}
