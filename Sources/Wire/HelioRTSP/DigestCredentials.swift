/// A client's response to a challenge, in `Authorization` (RFC 7616 section 3.4): `Digest username="u", realm="r",
/// nonce="n", uri="rtsp://h/", response="HEX", qop=auth, nc=00000001, cnonce="c"`.
///
/// Its description omits all values: a response is enough to guess a weak password offline.
package struct DigestCredentials: Hashable, Sendable {
    /// The parameters that `qop=auth` adds.
    package struct Quality: Hashable, Sendable {
        /// The number of requests with this nonce, including this request; starts at 1.
        package var nonceCount: UInt32
        package var clientNonce: String

        package init(nonceCount: UInt32, clientNonce: String) {
            self.nonceCount = nonceCount
            self.clientNonce = clientNonce
        }

        /// The nonce count in eight hexadecimal digits, as sent and hashed.
        package var count: String {
            let digits = String(nonceCount, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
    }

    package var username: String
    package var realm: String
    package var nonce: String
    package var uri: String
    /// The response, in hexadecimal.
    package var response: String
    package var algorithm: DigestAlgorithm
    package var opaque: String?
    /// The parameters of `qop=auth`; `nil` for an RFC 2069 response, which old players send even if `qop=auth` was
    /// offered.
    package var quality: Quality?

    package init(
        username: String, realm: String, nonce: String, uri: String, response: String,
        algorithm: DigestAlgorithm, opaque: String? = nil, quality: Quality? = nil
    ) {
        self.username = username
        self.realm = realm
        self.nonce = nonce
        self.uri = uri
        self.response = response
        self.algorithm = algorithm
        self.opaque = opaque
        self.quality = quality
    }

    /// Reads a header; `nil` if it is malformed, uses another scheme or algorithm, or lacks a field.
    package init?(_ header: String) {
        let fields = AuthenticationField.list(header)
        guard fields.count == 1, let field = fields.first, field.is("Digest"), let username = field["username"],
            let realm = field["realm"], let nonce = field["nonce"], let uri = field["uri"],
            let response = field["response"], let algorithm = DigestAlgorithm(name: field["algorithm"])
        else { return nil }
        self.init(
            username: username, realm: realm, nonce: nonce, uri: uri, response: response, algorithm: algorithm,
            opaque: field["opaque"])
        guard let quality = field["qop"] else { return }
        guard Text.equalIgnoringCase(quality, "auth"), let digits = field["nc"], digits.utf8.count == 8,
            digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let count = UInt32(digits, radix: 16), let clientNonce = field["cnonce"]
        else { return nil }
        self.quality = Quality(nonceCount: count, clientNonce: clientNonce)
    }

    package var value: String {
        var parts = [("username", username), ("realm", realm), ("nonce", nonce), ("uri", uri), ("response", response)]
            .map { "\($0)=\(AuthenticationField.quoted($1))" }
        // RFC 2069 servers support only MD5, and some reject the field.
        if quality != nil || algorithm != .md5 { parts.append("algorithm=\(algorithm.rawValue)") }
        if let opaque { parts.append("opaque=\(AuthenticationField.quoted(opaque))") }
        if let quality {
            parts.append("qop=auth, nc=\(quality.count), cnonce=\(AuthenticationField.quoted(quality.clientNonce))")
        }
        return "Digest " + parts.joined(separator: ", ")
    }
}

extension DigestCredentials: CustomStringConvertible {
    package var description: String { "<digest credentials>" }
}
