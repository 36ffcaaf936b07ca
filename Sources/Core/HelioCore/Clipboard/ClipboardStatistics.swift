/// Counts for one end of a clipboard exchange; never content.
package struct ClipboardStatistics: Sendable {
    package var offersSent = 0
    package var offersReceived = 0
    /// The number of completely sent transfers, and the number of bytes sent, including those of unfinished transfers.
    package var transfersSent = 0
    package var bytesSent = 0
    /// The number of completely received transfers, and the number of bytes received, including those of unfinished
    /// transfers.
    package var transfersReceived = 0
    package var bytesReceived = 0
    package var drops = DropCounter<ClipboardDrop>()

    package init() {}
}

extension ClipboardStatistics {
    package static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.offersSent += b.offersSent
        sum.offersReceived += b.offersReceived
        sum.transfersSent += b.transfersSent
        sum.bytesSent += b.bytesSent
        sum.transfersReceived += b.transfersReceived
        sum.bytesReceived += b.bytesReceived
        sum.drops.add(b.drops)
        return sum
    }
}

/// The reason why one end of a clipboard exchange dropped something.
package enum ClipboardDrop: String, CaseIterable, Hashable, Sendable {
    /// A message that can't be parsed.
    case malformed = "clipboard-malformed"
    /// An offer that arrived while this end accepts none.
    case offerNotAllowed = "clipboard-offer-not-allowed"
    /// An offer that was replaced by a newer offer before it was used.
    case offerReplaced = "clipboard-offer-replaced"
    /// A format in an offer, because its declared size is too large.
    case formatTooLarge = "clipboard-format-too-large"
    /// A change of this clipboard whose content equals the peer's offer: a program has only taken over the clipboard's
    /// ownership.
    case echo = "clipboard-echo"

    /// A request that this end refused because it does not send its clipboard (`requestNotAllowed`), because the
    /// content is gone (`requestGone`), or because too many transfers are in progress (`requestBusy`).
    case requestNotAllowed = "clipboard-request-not-allowed"
    case requestGone = "clipboard-request-gone"
    case requestBusy = "clipboard-request-busy"
    /// A request with a transfer identifier that is in use.
    case requestTwice = "clipboard-request-twice"
    /// A credit lower than the transfer's earlier credit.
    case creditWentBack = "clipboard-credit-went-back"
    /// A credit or cancellation for a transfer that is not in progress, possibly because it has just ended.
    case lateAnswer = "clipboard-late-answer"

    /// A data message or refusal for a transfer that has ended.
    case lateData = "clipboard-late-data"
    /// A data message or refusal for a transfer that this end has never requested.
    case unknownTransfer = "clipboard-unknown-transfer"
    /// A transfer that sent more bytes than its credit allowed.
    case overCredit = "clipboard-over-credit"

    /// A transfer whose content is too large (`tooLarge`), exceeds the memory for all transfers (`noRoom`), or does not
    /// match its format (`invalid`).
    case tooLarge = "clipboard-too-large"
    /// Content that is too large to be fetched in advance; it can be pasted only while the end that copied it is
    /// connected.
    case notKept = "clipboard-not-kept"
    case noRoom = "clipboard-no-room"
    case invalid = "clipboard-invalid"
    /// A transfer that made no progress, or took too long.
    case timedOut = "clipboard-timed-out"
    /// A transfer that the peer refused or ended.
    case refused = "clipboard-refused"
    /// A transfer that ended because it is no longer allowed.
    case revoked = "clipboard-revoked"
    /// A transfer whose content is no longer needed, as the pasting program has stopped waiting.
    case cancelled = "clipboard-cancelled"
    /// A transfer whose content could not be read from this machine's clipboard.
    case unreadable = "clipboard-unreadable"
    /// Content that was read for a transfer that has ended.
    case unwantedContent = "clipboard-unwanted-content"
    /// A paste that started no transfer: nothing is offered or allowed, or too many transfers are in progress.
    case pasteRefused = "clipboard-paste-refused"
    /// A refusal or cancellation that could not be queued; the peer's own deadline ends the transfer.
    case answerDropped = "clipboard-answer-dropped"
}
