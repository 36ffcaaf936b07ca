import HelioCore
import HelioProtection
import HelioRTSP

/// The server side of digest authentication (RFC 7616) for one connection.
///
/// A nonce is valid only on the connection on which it was sent, so that a captured response is useless on another
/// connection. With `qop=auth` the nonce count must increase, so that each response is accepted only once. Old players
/// (RFC 2069) support neither nonce counts nor SHA-256; their responses are accepted, also repeatedly, during the
/// nonce's lifetime.
struct DigestCheck: Sendable {
    static let realm = "Heliograph"
    /// The lifetime of a nonce. A response with an older nonce gets a challenge with a new nonce and `stale=true`,
    /// after which players retry automatically.
    static let nonceLife = Duration.seconds(300)

    enum Verdict: Sendable, Equatable {
        case admitted
        /// No credentials were sent, or their nonce is unknown or expired: a challenge is needed.
        case asks(isStale: Bool)
        case refused(Refusal)
    }

    /// The reason for refusing credentials. The raw value is for statistics and for the user who runs the server.
    enum Refusal: String, Sendable, CaseIterable, Hashable {
        case malformed = "malformed-credentials"
        case wrongCredentials = "wrong-credentials"
        case replayed = "replayed-credentials"
        case foreignResource = "credentials-for-another-resource"
    }

    private struct Nonce: Sendable {
        var text: String
        var made: Instant
        var lastCount: UInt32 = 0
    }

    private let credentials: ServerCredentials
    private var nonce: Nonce?

    init(_ credentials: ServerCredentials) { self.credentials = credentials }

    /// Checks a request's credentials.
    ///
    /// - Parameter isOwn: returns true if a URI names a resource of this server.
    mutating func judge(
        _ request: RTSPRequest, isOwn: (_ uri: String) -> Bool, crypto: any CryptoProvider, now: Instant
    ) -> Verdict {
        guard let header = request.headers["Authorization"] else { return .asks(isStale: false) }
        guard let shown = DigestCredentials(header) else { return .refused(.malformed) }
        guard let nonce, shown.nonce == nonce.text else {
            // The nonce may be from another connection, so do not check the password here, but in the response to a new
            // nonce.
            return .asks(isStale: true)
        }
        let response = DigestResponse(
            algorithm: shown.algorithm == .md5 ? .md5 : .sha256, username: credentials.username, realm: Self.realm,
            password: credentials.password, nonce: nonce.text,
            quality: shown.quality.map { .init(nonceCount: $0.count, clientNonce: $0.clientNonce) })
        let isRight =
            (try? response.matches(
                shown.response, method: request.method.rawValue, uri: shown.uri, crypto: crypto)) ?? false
        guard isRight, shown.username == credentials.username, shown.realm == Self.realm else {
            return .refused(.wrongCredentials)
        }
        // Players use the URI of the track, of the stream or of their command line. Refuse a URI that names no resource
        // of this server.
        guard isOwn(shown.uri) else { return .refused(.foreignResource) }
        guard now - nonce.made < Self.nonceLife else { return .asks(isStale: true) }
        if let count = shown.quality?.nonceCount {
            guard count > nonce.lastCount else { return .refused(.replayed) }
            self.nonce?.lastCount = count
        }
        return .admitted
    }

    /// Makes a new nonce and its values of `WWW-Authenticate`. The challenge with SHA-256 comes first and that with MD5
    /// last, as many players use the last challenge, and all support MD5.
    mutating func challenge(
        isStale: Bool, random: inout any RandomNumberGenerator & Sendable, now: Instant
    ) -> [String] {
        let fresh = Nonce(text: Hexadecimal.text(SecretBytes(count: 16, using: &random).bytes), made: now)
        nonce = fresh
        return [DigestAlgorithm.sha256, .md5].map {
            DigestChallenge(realm: Self.realm, nonce: fresh.text, algorithm: $0, isStale: isStale).value
        }
    }
}
