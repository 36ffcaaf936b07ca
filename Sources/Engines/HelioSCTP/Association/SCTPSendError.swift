/// Why a message was not taken. Nothing of it will be sent.
package enum SCTPSendError: Error, Hashable, Sendable {
    /// What waits already is as much as is kept: try again once the stream's buffered amount is low.
    case bufferFull
    /// The association is over, or about to be.
    case ended
    /// The stream is being reset, or has a number past those that the other end takes.
    case streamClosed
    /// Longer than all that may wait.
    case messageTooLong
    /// SCTP has no way to send nothing (RFC 9260 section 3.3.1).
    case emptyMessage
}
