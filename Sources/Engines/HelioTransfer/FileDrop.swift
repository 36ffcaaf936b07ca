/// The reason why one end of a file exchange dropped a message.
package enum FileDrop: String, CaseIterable, Hashable, Sendable {
    /// A message that can't be parsed.
    case malformed = "file-malformed"
    /// A message that was received while no channel is open.
    case noChannel = "file-no-channel"
    /// An offer that was refused, as files are not accepted.
    case offerNotAllowed = "file-offer-not-allowed"
    /// An offer that was refused, as another batch is under way.
    case offerBusy = "file-offer-busy"
    /// An offer of a batch with too many files or bytes.
    case offerTooLarge = "file-offer-too-large"
    /// An offer that arrived too soon after a question to the user, or while the disk's free space was being queried.
    case offerTooSoon = "file-offer-too-soon"
    /// A second offer of a batch on the same channel.
    case offerTwice = "file-offer-twice"
    /// A message about a batch that is not under way; the batch may just have ended.
    case late = "file-late"
    /// A message that ended its batch, as it was out of order.
    case outOfOrder = "file-out-of-order"
    /// A message beyond the receiver's credit, which ended its batch.
    case overCredit = "file-over-credit"
    /// A message that exceeded the size of its file or batch as announced, which ended the batch.
    case overSize = "file-over-size"
    /// A credit that is lower than an earlier one.
    case creditWentBack = "file-credit-went-back"
    /// A message about a file that has already failed at this end.
    case ofGivenUp = "file-of-given-up"
    /// An answer that did not fit into the queue, so that the peer times out instead.
    case answerDropped = "file-answer-dropped"
    /// An answer of the disk that arrived after its file or batch had ended.
    case lateDisk = "file-late-disk"
}
