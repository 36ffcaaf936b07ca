/// A reason for dropping a datagram, or a record of one.
package enum DTLSDrop: String, Error, CaseIterable, Hashable, Sendable {
    /// The first byte is not that of a record: STUN, SRTP or junk (RFC 7983).
    case notDTLS = "not-dtls"
    /// Shorter than a record's header, or than the length in it.
    case truncated
    /// A version, length or type that no record has.
    case malformed
    /// A handshake message in clear that contradicts itself or is larger than any useful one.
    case badHandshake = "bad-handshake"
    /// An epoch that does not exist.
    case wrongEpoch = "wrong-epoch"
    /// A record of the epoch before the keys, received when they are in use: a late handshake message, or forged.
    case oldEpoch = "old-epoch"
    /// Application data without protection.
    case clearData = "clear-data"
    /// Data that is not authentic, or a replay.
    case refused
    /// The association has ended.
    case afterEnd = "after-end"
    /// A datagram of ours, or the peer's data, while the one before it has not been polled.
    case queueFull = "queue-full"
}
