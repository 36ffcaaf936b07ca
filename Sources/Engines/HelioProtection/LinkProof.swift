import HelioCore

/// A proof that an end knows the secret in a share link, without sending it.
///
/// Each end makes its proof over the binding of the connection (the host's certificate as shown by TLS; for a browser's
/// session, `WebBinding`) and over a nonce of each end, so that a proof is worthless on another connection, to another
/// end, at another time, or in the other role.
package struct LinkProof: Sendable {
    /// The end that proves.
    package enum Role: String, Sendable, Hashable {
        case host
        case viewer
    }

    /// The length of a proof, in bytes.
    package static let length = 32
    /// The fewest bytes of a secret: 80 bits, as in a link, which a person can still type.
    package static let leastSecretLength = 10
    /// The fewest bytes of a nonce.
    package static let leastNonceLength = 16

    private let secret: SecretBytes
    private let binding: [UInt8]
    private let clientNonce: [UInt8]
    private let hostNonce: [UInt8]

    /// Makes a proof's input; `nil` if the binding is not the 32 bytes of a SHA-256, or the secret or a nonce is too
    /// short.
    package init?(
        secret: SecretBytes, binding: [UInt8], clientNonce: [UInt8], hostNonce: [UInt8]
    ) {
        guard binding.count == 32, secret.count >= Self.leastSecretLength,
            clientNonce.count >= Self.leastNonceLength, hostNonce.count >= Self.leastNonceLength
        else { return nil }
        self.secret = secret
        self.binding = binding
        self.clientNonce = clientNonce
        self.hostNonce = hostNonce
    }

    /// Makes the proof: HMAC-SHA256, with the secret as key, over the protocol's name, the role, the binding, the
    /// client's nonce and the host's nonce, each preceded by its length in four big-endian bytes.
    package func proof(by role: Role, crypto: some CryptoProvider) throws(CryptoError) -> [UInt8] {
        try code(role, crypto).bytes
    }

    /// Returns true if `proof` is what the end in `role` must have sent, compared in constant time.
    package func verify(_ proof: [UInt8], by role: Role, crypto: some CryptoProvider) throws(CryptoError) -> Bool {
        guard proof.count == Self.length else { return false }
        return try code(role, crypto).matches(proof.span.bytes)
    }

    private func code(_ role: Role, _ crypto: some CryptoProvider) throws(CryptoError) -> MACCode {
        let fields = [
            Array("heliograph link proof 1".utf8), Array(role.rawValue.utf8), binding, clientNonce, hostNonce,
        ]
        var message: [UInt8] = []
        for field in fields {
            message.append(bigEndian: UInt32(field.count))
            message.append(contentsOf: field)
        }
        return try crypto.mac(.sha256, key: secret).code(over: message.span.bytes, trailer: nil)
    }
}
