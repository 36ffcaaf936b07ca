import HelioCore

/// The response of digest authentication (RFC 7616 section 3.4.1), a proof of knowledge of the password. The client
/// computes it, and the server computes it again to compare.
package struct DigestResponse: Sendable {
    /// The values that `qop=auth` adds to the hashed text.
    package struct Quality: Sendable {
        /// The nonce count, eight hexadecimal digits.
        package var nonceCount: String
        package var clientNonce: String

        package init(nonceCount: String, clientNonce: String) {
            self.nonceCount = nonceCount
            self.clientNonce = clientNonce
        }
    }

    package var algorithm: HashAlgorithm
    package var username: String
    package var realm: String
    package var password: SecretBytes
    package var nonce: String
    /// The values of `qop=auth`; `nil` for the older form of RFC 2069.
    package var quality: Quality?

    package init(
        algorithm: HashAlgorithm, username: String, realm: String, password: SecretBytes, nonce: String,
        quality: Quality?
    ) {
        self.algorithm = algorithm
        self.username = username
        self.realm = realm
        self.password = password
        self.nonce = nonce
        self.quality = quality
    }

    /// The value of the response, in lower-case hexadecimal.
    ///
    ///     A1 = username ":" realm ":" password          A2 = method ":" uri
    ///     H(H(A1) ":" nonce ":" nc ":" cnonce ":" "auth" ":" H(A2))        qop=auth
    ///     H(H(A1) ":" nonce ":" H(A2))                                     RFC 2069
    package func value(method: String, uri: String, crypto: any CryptoProvider) throws(CryptoError) -> String {
        var fields = [
            try hash(Array("\(username):\(realm):".utf8) + password.bytes, crypto), nonce,
        ]
        if let quality { fields += [quality.nonceCount, quality.clientNonce, "auth"] }
        fields.append(try hash(Array("\(method):\(uri)".utf8), crypto))
        return try hash(Array(fields.joined(separator: ":").utf8), crypto)
    }

    /// Returns true if `response` is the expected value. The comparison takes constant time for a given length.
    package func matches(
        _ response: String, method: String, uri: String, crypto: any CryptoProvider
    ) throws(CryptoError) -> Bool {
        let expected = Array(try value(method: method, uri: uri, crypto: crypto).utf8)
        // Accept upper-case hexadecimal digits too.
        let received = response.utf8.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
        return isEqualInConstantTime(received.span.bytes, expected.span.bytes)
    }

    private func hash(_ bytes: [UInt8], _ crypto: any CryptoProvider) throws(CryptoError) -> String {
        Hexadecimal.text(try crypto.hash(algorithm, bytes.span.bytes))
    }
}
