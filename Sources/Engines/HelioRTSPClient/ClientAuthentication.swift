internal import HelioCore
internal import HelioProtection
internal import HelioRTSP

/// The client side of digest authentication (RFC 7616), with the server's last challenge.
struct ClientAuthentication {
    private let credentials: RTSPAddress.Credentials?
    private let crypto: any CryptoProvider
    private let use: PlainTransport.Use
    private var challenge: DigestChallenge?
    private var clientNonce = ""
    private var nonceCount: UInt32 = 0
    /// True once the server has accepted a response to the present challenge. If the server then answers 401, the nonce
    /// has expired.
    private var isProven = false

    init(_ credentials: RTSPAddress.Credentials?, to use: PlainTransport.Use, crypto: any CryptoProvider) {
        self.credentials = credentials
        self.use = use
        self.crypto = crypto
    }

    /// Handles a response with the status 401.
    ///
    /// - Parameter answered: the number of times that the request was sent with an `Authorization` header.
    /// - Returns: the final error; `nil` to repeat the request.
    mutating func challenged(
        _ response: RTSPResponse, answered: Int, using random: inout some RandomNumberGenerator
    ) -> HelioError? {
        let offers = response.headers.all("WWW-Authenticate").flatMap { DigestChallenge.list($0) }
        guard let offer = offers.first(where: { $0.algorithm == .sha256 }) ?? offers.first else {
            return HelioError(
                .refused,
                "The server wants the password in a way that Heliograph does not use, perhaps in the clear: turn on "
                    + "digest authentication (MD5 or SHA-256) at the server.")
        }
        guard credentials != nil else {
            return HelioError(
                .refused, "The server wants a user and a password.",
                remedy: use == .play ? .givePlayCredentials : .givePublishCredentials)
        }
        if answered > 0 {
            guard offer.isStale || isProven, answered < 3 else {
                return HelioError(.refused, "The server does not take this user and password.")
            }
        }
        isProven = false
        challenge = offer
        nonceCount = 0
        clientNonce = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
        return nil
    }

    /// Records that a request with an `Authorization` header was not answered with 401.
    mutating func accepted() { isProven = true }

    /// Makes the `Authorization` header of a request; `nil` without a challenge or credentials.
    mutating func authorization(_ method: RTSPMethod, uri: String) throws(CryptoError) -> String? {
        guard let challenge, let credentials else { return nil }
        nonceCount += 1
        let quality =
            challenge.offersQuality
            ? DigestCredentials.Quality(nonceCount: nonceCount, clientNonce: clientNonce) : nil
        let answer = DigestResponse(
            algorithm: challenge.algorithm == .sha256 ? .sha256 : .md5, username: credentials.user,
            realm: challenge.realm, password: credentials.password, nonce: challenge.nonce,
            quality: quality.map { .init(nonceCount: $0.count, clientNonce: $0.clientNonce) })
        return DigestCredentials(
            username: credentials.user, realm: challenge.realm, nonce: challenge.nonce, uri: uri,
            response: try answer.value(method: method.rawValue, uri: uri, crypto: crypto),
            algorithm: challenge.algorithm, opaque: challenge.opaque, quality: quality
        ).value
    }
}
