/// A reason for dropping a received packet.
package enum SRTPDrop: String, Error, CaseIterable, Hashable, Sendable {
    /// A packet shorter than its header says, or than a header and a tag.
    case truncated
    /// Not version 2 of RTP.
    case badVersion = "bad-version"
    /// Not made with our key, or changed on the way.
    case authenticationFailed = "authentication-failed"
    /// A genuine packet that was received before.
    case replayed
    /// Older than the replay window: it can't be told from a replay.
    case tooOld = "too-old"
    /// An RTCP packet whose E bit says that it is in clear, where encryption was agreed on.
    case notEncrypted = "not-encrypted"
    /// A new SSRC beyond the limit of this receiver.
    case tooManyStreams = "too-many-streams"
    /// A packet past the last index that a key may be used for.
    case keyExhausted = "key-exhausted"
}
