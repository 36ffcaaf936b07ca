/// A server's challenge in `WWW-Authenticate` (RFC 7616 section 3.3): `Digest realm="heliograph", nonce="5ccc069c",
/// algorithm=SHA-256, qop="auth"`.
package struct DigestChallenge: Hashable, Sendable {
    package var realm: String
    package var nonce: String
    /// A value that the client has to return unchanged.
    package var opaque: String?
    package var algorithm: DigestAlgorithm
    /// True if the last response was valid except for an expired nonce: the client retries without asking for the
    /// password.
    package var isStale: Bool
    /// True if `qop=auth` is offered. Otherwise responses follow RFC 2069, which has no nonce count.
    package var offersQuality: Bool

    package init(
        realm: String, nonce: String, opaque: String? = nil, algorithm: DigestAlgorithm = .sha256,
        isStale: Bool = false, offersQuality: Bool = true
    ) {
        self.realm = realm
        self.nonce = nonce
        self.opaque = opaque
        self.algorithm = algorithm
        self.isStale = isStale
        self.offersQuality = offersQuality
    }

    /// The supported challenges of a header, in the server's order of preference. Omits other schemes, other algorithms
    /// and a `qop` without `auth`. Empty if the header is malformed.
    package static func list(_ header: String) -> [DigestChallenge] {
        AuthenticationField.list(header).compactMap { DigestChallenge($0) }
    }

    private init?(_ field: AuthenticationField) {
        guard field.is("Digest"), let realm = field["realm"], let nonce = field["nonce"],
            let algorithm = DigestAlgorithm(name: field["algorithm"])
        else { return nil }
        let qualities = field["qop"].map { Text.parts($0, by: UInt8(ascii: ",")) }
        if let qualities, !qualities.contains(where: { Text.equalIgnoringCase($0, "auth") }) { return nil }
        self.init(
            realm: realm, nonce: nonce, opaque: field["opaque"], algorithm: algorithm,
            isStale: field["stale"].map { Text.equalIgnoringCase($0, "true") } ?? false,
            offersQuality: qualities != nil)
    }

    /// The header's value. Old players read realm, nonce and `stale` by their position, so they are written first.
    package var value: String {
        var parts = ["realm=\(AuthenticationField.quoted(realm))", "nonce=\(AuthenticationField.quoted(nonce))"]
        if isStale { parts.append("stale=true") }
        parts.append("algorithm=\(algorithm.rawValue)")
        if offersQuality { parts.append("qop=\"auth\"") }
        if let opaque { parts.append("opaque=\(AuthenticationField.quoted(opaque))") }
        return "Digest " + parts.joined(separator: ", ")
    }
}
