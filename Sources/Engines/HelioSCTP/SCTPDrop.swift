/// Why a packet, a chunk or a message was thrown away.
package enum SCTPDrop: String, CaseIterable, Hashable, Sendable {
    /// Shorter than a header, or without a chunk.
    case truncated
    case wrongPort = "wrong-port"
    case badChecksum = "bad-checksum"
    /// Of another association, or forged.
    case wrongTag = "wrong-tag"
    /// A chunk's length or a field in it cannot be.
    case badChunk = "bad-chunk"
    case unknownChunk = "unknown-chunk"
    /// A chunk that has no place in the present state.
    case unexpectedChunk = "unexpected-chunk"
    /// A state cookie that is not ours, or was changed.
    case badCookie = "bad-cookie"
    case staleCookie = "stale-cookie"
    case duplicateData = "duplicate-data"
    /// Further ahead than any window we gave.
    case outsideWindow = "outside-window"
    /// Sent although there was no room for it.
    case windowFull = "window-full"
    /// A piece of a message whose other pieces do not fit.
    case orphanFragment = "orphan-fragment"
    /// A second message of one stream with the same sequence number.
    case repeatedSequence = "repeated-sequence"
    /// Of a stream past those agreed on.
    case unknownStream = "unknown-stream"
    /// Acknowledges what was never sent.
    case falseAcknowledgement = "false-acknowledgement"
    /// Overtaken by a newer acknowledgement.
    case oldAcknowledgement = "old-acknowledgement"
    case badForward = "bad-forward"
    case badReconfiguration = "bad-reconfiguration"
    /// Arrived when all was over.
    case ended
    /// More to answer than is kept.
    case tooManyAnswers = "too-many-answers"
    /// A message of ours that was given up after some of it was sent.
    case abandonedMessage = "abandoned-message"
    /// A message of ours whose time was over before it was sent.
    case expiredMessage = "expired-message"
}
