/// The reason why a file, or a whole batch, does not come. The raw value is the one on the wire.
package enum FileRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// The person who was asked does not want it.
    case declined = 1
    /// No files go this way.
    case notAllowed = 2
    /// The receiver's disk is full, or would be.
    case noSpace = 3
    /// More files than the receiver takes at once.
    case tooMany = 4
    /// The receiver can't make such a name.
    case badName = 5
    /// Larger than the receiver takes.
    case tooLarge = 6
    /// Another batch is under way, or too many were offered in a short time: it may be offered again later.
    case busy = 7
    /// A person at the other end has stopped it.
    case cancelled = 8
    /// The sender can't read it.
    case unreadable = 9
    /// It was changed while it was sent.
    case changed = 10
    /// What came has another digest than what was sent.
    case damaged = 11
    /// The receiver's disk failed, or does not answer.
    case diskFailed = 12
    /// Nothing happened for too long.
    case timedOut = 13
    /// The other end did not keep to what it had said: a size, a count, an order or a credit.
    case broken = 14
}
