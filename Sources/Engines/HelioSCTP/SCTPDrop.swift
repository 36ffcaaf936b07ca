/// A reason for dropping a packet, a chunk or a message.
package enum SCTPDrop: String, CaseIterable, Hashable, Sendable {
    /// A packet that is shorter than a header, or has no chunk.
    case truncated
    case wrongPort = "wrong-port"
    case badChecksum = "bad-checksum"
    /// A packet of another association, or forged.
    case wrongTag = "wrong-tag"
    /// A chunk's length or a field in it is invalid.
    case badChunk = "bad-chunk"
    case unknownChunk = "unknown-chunk"
    /// A chunk that is not allowed in the state of the association.
    case unexpectedChunk = "unexpected-chunk"
    /// A state cookie that this end did not make, or that was modified.
    case badCookie = "bad-cookie"
    case staleCookie = "stale-cookie"
    case duplicateData = "duplicate-data"
    /// A TSN too far beyond the cumulative TSN for the receive map.
    case outsideWindow = "outside-window"
    /// Data sent although the advertised window was full.
    case windowFull = "window-full"
    /// A fragment that contradicts its neighbours, so that its message can never be complete.
    case orphanFragment = "orphan-fragment"
    /// A message with the stream sequence number of an earlier message.
    case repeatedSequence = "repeated-sequence"
    /// Data on a stream number beyond the negotiated number of streams.
    case unknownStream = "unknown-stream"
    /// An acknowledgement of TSNs that were never sent.
    case falseAcknowledgement = "false-acknowledgement"
    /// An acknowledgement overtaken by a newer one.
    case oldAcknowledgement = "old-acknowledgement"
    case badForward = "bad-forward"
    case badReconfiguration = "bad-reconfiguration"
    /// A packet that arrived after the end of the association.
    case ended
    /// An answer that was not sent, as the queue of control chunks or packets was full.
    case tooManyAnswers = "too-many-answers"
    /// An outgoing message that was abandoned after some of its data had been sent.
    case abandonedMessage = "abandoned-message"
    /// An outgoing message whose lifetime ended before it was sent.
    case expiredMessage = "expired-message"
}
