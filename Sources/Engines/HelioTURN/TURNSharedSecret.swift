package import HelioCore
package import HelioProtection

/// A secret shared with TURN servers, from which time-limited credentials are derived ("A REST API for Access to TURN
/// Services", draft-uberti-behave-turn-rest-00; coturn's `use-auth-secret`).
package struct TURNSharedSecret: Sendable {
    package struct Credentials: Hashable, Sendable {
        /// The expiry time in seconds since 1970, a colon, and a name.
        package var username: String
        /// The HMAC-SHA1 of the user name, keyed with the secret, in Base64.
        package var password: String
    }

    /// The default lifetime of credentials; the server may limit it further.
    package static let usualLife = Duration.seconds(12 * 60 * 60)

    private let secret: SecretBytes
    private let life: Duration
    private let clockOffset: Duration

    /// - Parameters:
    ///   - life: the lifetime of credentials.
    ///   - clockOffset: the offset from an `Instant` to the time since 1970.
    package init(_ secret: SecretBytes, life: Duration = usualLife, clockOffset: Duration) {
        self.secret = secret
        self.life = life
        self.clockOffset = clockOffset
    }

    /// Makes credentials that are valid from `now` until the end of their lifetime.
    ///
    /// - Parameter name: the name of the user of the credentials, for the server's log and allocation quota.
    package func credentials(
        for name: String, now: Instant, crypto: any CryptoProvider
    ) throws(CryptoError) -> Credentials {
        let expiry = (clockOffset + .nanoseconds(now.nanoseconds) + life).components.seconds
        let username = "\(expiry):\(name)"
        let code = try crypto.mac(.sha1, key: secret).code(over: Array(username.utf8).span.bytes, trailer: nil)
        let bytes = (0..<code.count).map { code.storage[$0] }
        return Credentials(username: username, password: Base64.encode(bytes))
    }
}

extension TURNSharedSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "TURN secret" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
