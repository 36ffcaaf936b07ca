/// The reason why one end of a file exchange dropped a message.
package enum FileDrop: String, CaseIterable, Hashable, Sendable {
    /// A message that can't be parsed.
    case malformed = "file-malformed"
    /// A message while there is no channel.
    case noChannel = "file-no-channel"
    /// An offer that was refused: files are not accepted, another batch is under way, it is too large, or it came too
    /// soon.
    case offerNotAllowed = "file-offer-not-allowed"
    case offerBusy = "file-offer-busy"
    case offerTooLarge = "file-offer-too-large"
    case offerTooSoon = "file-offer-too-soon"
    /// An offer of a batch that is known on this channel already.
    case offerTwice = "file-offer-twice"
    /// A message about a batch that is not under way: it may just have ended.
    case late = "file-late"
    /// A message that ended its batch: out of order, beyond the credit, or against what was offered.
    case outOfOrder = "file-out-of-order"
    case overCredit = "file-over-credit"
    case overSize = "file-over-size"
    /// A credit that is lower than an earlier one.
    case creditWentBack = "file-credit-went-back"
    /// A message about a file that was already given up.
    case ofGivenUp = "file-of-given-up"
    /// An answer that did not fit into the queue: the other end times out instead.
    case answerDropped = "file-answer-dropped"
    /// An answer of the disk that is no longer needed.
    case lateDisk = "file-late-disk"
}
