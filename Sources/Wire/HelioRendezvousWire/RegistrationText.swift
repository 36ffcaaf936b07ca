/// The text that a device signs to register.
package enum RegistrationText {
    /// Returns the bytes to sign: a name of the protocol, the authority and the nonce, separated by zeros. The nonce
    /// makes a signature worthless for another connection, the authority for another server.
    ///
    /// - Parameters:
    ///   - authority: the host and port that the client has dialled, in lower case: `meet.example.org:443`.
    ///   - nonce: the nonce of the server's challenge.
    package static func bytes(authority: String, nonce: [UInt8]) -> [UInt8] {
        Array("Heliograph rendezvous 1\0".utf8) + Array(authority.utf8) + [0] + nonce
    }
}
