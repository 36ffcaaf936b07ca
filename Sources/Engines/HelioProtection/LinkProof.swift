import HelioCore

/// A proof of knowledge of the secret in a share link, without disclosure of the secret.
///
/// A proof is an HMAC over the role, the channel binding (the hash of the host's TLS certificate, or `WebBinding` for a
/// browser's session) and a nonce of each end. So it can't be replayed on another connection, to another end, at
/// another time or in the other role.
package struct LinkProof: Sendable {
    /// The end that makes the proof.
    package enum Role: String, Sendable, Hashable {
        case host
        case viewer
    }

    /// The length of a proof, in bytes.
    package static let length = 32
    /// The minimum length of a secret in bytes: the 80 bits of a link's secret, which is short enough to be typed.
    package static let leastSecretLength = 10
    /// The minimum length of a nonce, in bytes.
    package static let leastNonceLength = 16

    private let secret: SecretBytes
    private let binding: [UInt8]
    private let clientNonce: [UInt8]
    private let hostNonce: [UInt8]

    /// Makes the input of the proofs; `nil` if the binding does not have 32 bytes (SHA-256), or the secret or a nonce
    /// is too short.
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

    /// Makes a proof: the HMAC-SHA256, with the secret as key, of the protocol name, the role, the binding, the
    /// client's nonce and the host's nonce, each preceded by its length in 4 big-endian bytes.
    package func proof(by role: Role, crypto: some CryptoProvider) throws(CryptoError) -> [UInt8] {
        try code(role, crypto).bytes
    }

    /// Returns true if `proof` is the proof of the end with this role. The comparison takes constant time.
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
