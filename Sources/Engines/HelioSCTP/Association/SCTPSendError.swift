/// An error of queueing a message; none of its data will be sent.
package enum SCTPSendError: Error, Hashable, Sendable {
    /// The send buffer is full; try again after `bufferedAmountLow`.
    case bufferFull
    /// The association has ended or is shutting down.
    case ended
    /// The stream is being reset, or its number is beyond those that the peer accepts.
    case streamClosed
    /// The message is larger than the whole send buffer.
    case messageTooLong
    /// The message is empty, which SCTP does not allow (RFC 9260 section 3.3.1).
    case emptyMessage
}
