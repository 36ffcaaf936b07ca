import HelioCore
import HelioProtection
import HelioRTSP

/// The server's side of digest authentication (RFC 7616) on one connection.
///
/// A nonce belongs to the connection that it was sent on, so that an overheard answer is worthless on another. With
/// `qop=auth` its uses are counted, and each answer is accepted once. Old players support neither counts nor SHA-256
/// (RFC 2069): their answers are accepted while the nonce lives.
struct DigestCheck: Sendable {
    static let realm = "Heliograph"
    /// The lifetime of a nonce. An older one is answered with a new one and `stale=true`, and the player tries again by
    /// itself.
    static let nonceLife = Duration.seconds(300)

    enum Verdict: Sendable, Equatable {
        case admitted
        /// No credentials were sent yet, or they were for an expired nonce.
        case asks(isStale: Bool)
        case refused(Refusal)
    }

    /// A reason for refusing credentials; its name is for statistics and for the user who shares.
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

    /// Judges a request's credentials.
    ///
    /// - Parameter isOwn: whether a URI names a resource of this server.
    mutating func judge(
        _ request: RTSPRequest, isOwn: (_ uri: String) -> Bool, crypto: any CryptoProvider, now: Instant
    ) -> Verdict {
        guard let header = request.headers["Authorization"] else { return .asks(isStale: false) }
        guard let shown = DigestCredentials(header) else { return .refused(.malformed) }
        guard let nonce, shown.nonce == nonce.text else {
            // The nonce may be another connection's; the password is checked with the answer to a new one.
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
        // Players name the track, the stream or the URI that they were started with; another server's resource is
        // refused.
        guard isOwn(shown.uri) else { return .refused(.foreignResource) }
        guard now - nonce.made < Self.nonceLife else { return .asks(isStale: true) }
        if let count = shown.quality?.nonceCount {
            guard count > nonce.lastCount else { return .refused(.replayed) }
            self.nonce?.lastCount = count
        }
        return .admitted
    }

    /// Makes the values of `WWW-Authenticate` for a new nonce: the stronger algorithm first, the one that every player
    /// supports last, since many use the last that they see.
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
