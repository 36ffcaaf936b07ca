/// The reason for dropping a datagram or a record.
package enum DTLSDrop: String, Error, CaseIterable, Hashable, Sendable {
    /// A datagram whose first byte is not that of a DTLS record (RFC 7983).
    case notDTLS = "not-dtls"
    /// A datagram shorter than a record header, or than the length in the header.
    case truncated
    /// A record with an invalid version, length or type.
    case malformed
    /// An unencrypted handshake message that is inconsistent or too large.
    case badHandshake = "bad-handshake"
    /// A record of an epoch other than 0 and 1.
    case wrongEpoch = "wrong-epoch"
    /// An unencrypted record (epoch 0) received after the handshake: a delayed or forged handshake message.
    case oldEpoch = "old-epoch"
    /// Unencrypted application data.
    case clearData = "clear-data"
    /// A record that is not authentic, or a replay.
    case refused
    /// The association has ended.
    case afterEnd = "after-end"
    /// A datagram to send, or received data, that was dropped as the queue of unpolled outputs was full.
    case queueFull = "queue-full"
}
