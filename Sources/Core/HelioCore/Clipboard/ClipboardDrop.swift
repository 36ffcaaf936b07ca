/// The reason why one end of a clipboard's exchange threw something away.
package enum ClipboardDrop: String, CaseIterable, Hashable, Sendable {
    /// A message that is none.
    case malformed = "clipboard-malformed"
    /// An offer while this end takes none.
    case offerNotAllowed = "clipboard-offer-not-allowed"
    /// An offer that a newer one replaced before it was of use.
    case offerReplaced = "clipboard-offer-replaced"
    /// A format of an offer, as its content is too large by its own account.
    case formatTooLarge = "clipboard-format-too-large"
    /// A copy of this machine's that is what the other end gave: a program has only taken it over.
    case echo = "clipboard-echo"

    /// A request that was refused: while this end gives nothing, of what is gone, or one too many.
    case requestNotAllowed = "clipboard-request-not-allowed"
    case requestGone = "clipboard-request-gone"
    case requestBusy = "clipboard-request-busy"
    /// A request by a number that is in use.
    case requestTwice = "clipboard-request-twice"
    /// A credit that is lower than an earlier one.
    case creditWentBack = "clipboard-credit-went-back"
    /// A credit or cancellation of a transfer that is not under way: it may just have ended.
    case lateAnswer = "clipboard-late-answer"

    /// A piece or refusal of a transfer that has ended.
    case lateData = "clipboard-late-data"
    /// A piece or refusal of a transfer that this end has never requested.
    case unknownTransfer = "clipboard-unknown-transfer"
    /// A transfer that brought more than it was given credit for.
    case overCredit = "clipboard-over-credit"

    /// A transfer whose content is too large, one that found no room, and one whose content is not what its format says.
    case tooLarge = "clipboard-too-large"
    case noRoom = "clipboard-no-room"
    case invalid = "clipboard-invalid"
    /// A transfer that made no progress, or took too long.
    case timedOut = "clipboard-timed-out"
    /// A transfer that the other end refused or ended.
    case refused = "clipboard-refused"
    /// A transfer that ended as it is not allowed any longer.
    case revoked = "clipboard-revoked"
    /// A transfer whose paste is not waited for any more.
    case cancelled = "clipboard-cancelled"
    /// A transfer whose content could not be read here.
    case unreadable = "clipboard-unreadable"
    /// Content that was read here for a transfer that has ended.
    case unwantedContent = "clipboard-unwanted-content"
    /// A paste that began no transfer: nothing is offered or allowed, or one too many.
    case pasteRefused = "clipboard-paste-refused"
    /// A refusal or cancellation for which there was no place: the other end finds out by its own deadline.
    case answerDropped = "clipboard-answer-dropped"
}
