/// A reason for dropping a received packet.
package enum SRTPDrop: String, Error, CaseIterable, Hashable, Sendable {
    /// A packet that is shorter than its header claims, or than a header and a tag.
    case truncated
    /// A packet that does not have RTP version 2.
    case badVersion = "bad-version"
    /// A packet with a wrong tag: another key was used, or the packet was modified.
    case authenticationFailed = "authentication-failed"
    /// A packet with an index that was received before.
    case replayed
    /// A packet older than the replay window, which might be a replay.
    case tooOld = "too-old"
    /// An RTCP packet whose E bit marks it as unencrypted, which is not accepted.
    case notEncrypted = "not-encrypted"
    /// A new SSRC beyond the limit of this receiver.
    case tooManyStreams = "too-many-streams"
    /// A packet beyond the last index for which the key may be used.
    case keyExhausted = "key-exhausted"
}
