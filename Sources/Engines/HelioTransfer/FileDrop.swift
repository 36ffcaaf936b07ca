/// The reason why one end of a file exchange dropped a message.
package enum FileDrop: String, CaseIterable, Hashable, Sendable {
    /// A message that can't be parsed.
    case malformed = "file-malformed"
    /// A message that was received while no channel is open.
    case noChannel = "file-no-channel"
    /// An offer that was refused, as files are not accepted.
    ///
    /// The following cases: another batch is under way, the batch is too large, or the offer came too soon after a
    /// former one.
    case offerNotAllowed = "file-offer-not-allowed"
    case offerBusy = "file-offer-busy"
    case offerTooLarge = "file-offer-too-large"
    case offerTooSoon = "file-offer-too-soon"
    /// A second offer of a batch on the same channel.
    case offerTwice = "file-offer-twice"
    /// A message about a batch that is not under way; the batch may just have ended.
    case late = "file-late"
    /// A message that ended its batch, as it was out of order.
    ///
    /// The following cases: it exceeded the credit, or the sizes in the offer.
    case outOfOrder = "file-out-of-order"
    case overCredit = "file-over-credit"
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
