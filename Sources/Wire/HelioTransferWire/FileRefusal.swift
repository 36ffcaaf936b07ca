/// The reason why a file, or a whole batch, is not transferred. The raw value is used on the wire.
package enum FileRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// The receiver's user declined.
    case declined = 1
    /// Files are not allowed in this direction.
    case notAllowed = 2
    /// The receiver's disk is full, or would be.
    case noSpace = 3
    /// The batch has more files than the receiver accepts at once.
    case tooMany = 4
    /// The receiver can't create a file of this name.
    case badName = 5
    /// The file is larger than the receiver accepts.
    case tooLarge = 6
    /// Another batch is in progress, or too many were offered in a short time; the batch may be offered again later.
    case busy = 7
    /// The user at the other end has cancelled the transfer.
    case cancelled = 8
    /// The sender can't read the file.
    case unreadable = 9
    /// The file was changed while it was sent.
    case changed = 10
    /// The digest of the received bytes differs from the sender's.
    case damaged = 11
    /// The receiver's disk failed, or does not respond.
    case diskFailed = 12
    /// The transfer made no progress for too long.
    case timedOut = 13
    /// The peer violated the protocol or its own statements: a size, a count, an order or a credit.
    case broken = 14
}
