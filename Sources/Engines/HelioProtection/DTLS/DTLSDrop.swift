/// Why a datagram, or a record of one, was dropped.
package enum DTLSDrop: String, Error, CaseIterable, Hashable, Sendable {
    /// The first byte is no record's: STUN, SRTP or junk (RFC 7983).
    case notDTLS = "not-dtls"
    /// Shorter than a record's header, or than the length in it.
    case truncated
    /// A version, length or type that no record has.
    case malformed
    /// A handshake message in clear which contradicts itself or is larger than any of use.
    case badHandshake = "bad-handshake"
    /// An epoch that there is not.
    case wrongEpoch = "wrong-epoch"
    /// From before the keys, when they are in use: a handshake's echo, or forged.
    case oldEpoch = "old-epoch"
    /// Data without protection.
    case clearData = "clear-data"
    /// Data that is not genuine, or arrived before.
    case refused
    /// The association has ended.
    case afterEnd = "after-end"
    /// A datagram of ours, or the peer's data: nobody took what came before it.
    case queueFull = "queue-full"
}
