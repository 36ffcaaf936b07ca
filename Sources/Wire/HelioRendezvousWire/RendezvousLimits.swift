/// The limits of the frames' fields. A parser refuses what exceeds them; a sender has to keep to them.
package enum RendezvousLimits {
    /// The version of the protocol, which the server's challenge states.
    package static let version: UInt8 = 1
    /// The length of a challenge's nonce, in bytes.
    package static let nonce = 32
    /// The length of an Ed25519 public key, in bytes (RFC 8032 section 5.1.5).
    package static let publicKey = 32
    /// The length of an Ed25519 signature, in bytes (RFC 8032 section 5.1.6).
    package static let signature = 64
    /// The most permits in a list.
    package static let permits = 128
    /// The most devices that a connection watches.
    package static let watches = 64
    /// The longest message of a call, in bytes.
    package static let message = 65_535
    /// The longest datagram of a call, in bytes.
    package static let data = 2_048
    /// The longest text of an address, in bytes.
    package static let address = 64
    /// The most TURN servers of a call.
    package static let turnEntries = 8
    /// The longest URL, user name or credential of a TURN server, in bytes.
    package static let turnText = 255
    /// The longest frame, in bytes: a message, with its type and its call.
    package static let frame = 5 + message
}
