/// An error of queueing a message. No part of the message will be sent.
package enum SCTPSendError: Error, Hashable, Sendable {
    /// The send buffer is full: try again once the stream's buffered amount is low.
    case bufferFull
    /// The association is over, or about to be.
    case ended
    /// The stream is being reset, or its number exceeds what the other end accepts.
    case streamClosed
    /// The message is longer than the whole send buffer.
    case messageTooLong
    /// The message is empty: SCTP cannot carry one (RFC 9260 section 3.3.1).
    case emptyMessage
}
