/// A reason for dropping a packet, a chunk or a message.
package enum SCTPDrop: String, CaseIterable, Hashable, Sendable {
    /// Shorter than a header, or without a chunk.
    case truncated
    case wrongPort = "wrong-port"
    case badChecksum = "bad-checksum"
    /// A packet of another association, or forged.
    case wrongTag = "wrong-tag"
    /// A chunk's length or a field in it is invalid.
    case badChunk = "bad-chunk"
    case unknownChunk = "unknown-chunk"
    /// A chunk that is not allowed in the present state.
    case unexpectedChunk = "unexpected-chunk"
    /// A state cookie that is not ours, or was changed.
    case badCookie = "bad-cookie"
    case staleCookie = "stale-cookie"
    case duplicateData = "duplicate-data"
    /// A TSN further ahead than any window that we have advertised.
    case outsideWindow = "outside-window"
    /// Data sent although the advertised window was full.
    case windowFull = "window-full"
    /// A fragment that contradicts those next to it, so that its message can never be whole.
    case orphanFragment = "orphan-fragment"
    /// A second message of one stream with the same sequence number.
    case repeatedSequence = "repeated-sequence"
    /// Data on a stream beyond the agreed number of streams.
    case unknownStream = "unknown-stream"
    /// An acknowledgement of TSNs that were never sent.
    case falseAcknowledgement = "false-acknowledgement"
    /// An acknowledgement overtaken by a newer one.
    case oldAcknowledgement = "old-acknowledgement"
    case badForward = "bad-forward"
    case badReconfiguration = "bad-reconfiguration"
    /// A packet that arrived after the end of the association.
    case ended
    /// A chunk whose answer did not fit into the queue of answers.
    case tooManyAnswers = "too-many-answers"
    /// A message of ours that was abandoned after some of it was sent.
    case abandonedMessage = "abandoned-message"
    /// A message of ours whose lifetime ended before it was sent.
    case expiredMessage = "expired-message"
}
