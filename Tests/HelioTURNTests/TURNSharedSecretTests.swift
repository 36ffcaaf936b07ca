import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioTURN
import Testing

@Suite("Credentials made of a secret that is shared with a TURN server")
struct TURNSharedSecretTests {
    private static let north = SecretBytes(Array("north".utf8))

    /// The passwords of `printf USERNAME
    /// openssl dgst -sha1 -hmac north -binary
    /// base64`.
    @Test("as another program makes them")
    func known() throws {
        // The expiry is 1433895918: twelve hours after this clock's 1000 s.
        let secret = TURNSharedSecret(Self.north, clockOffset: .seconds(1_433_895_918 - 43200 - 1000))
        let made = try secret.credentials(for: "anna", now: .zero + .seconds(1000), crypto: OpenSSLCrypto())
        #expect(made.username == "1433895918:anna" && made.password == "s4DzciylmrKf2GhMesJPonAUQ6w=")
    }

    @Test("another name, another time or another secret makes other ones, and nothing shows the secret")
    func others() throws {
        let secret = TURNSharedSecret(Self.north, life: .seconds(60), clockOffset: .seconds(1_000_000))
        let now = Instant.zero + .seconds(5)
        let made = try secret.credentials(for: "a", now: now, crypto: OpenSSLCrypto())
        #expect(made.username == "1000065:a")
        let named = try secret.credentials(for: "b", now: now, crypto: OpenSSLCrypto())
        let later = try secret.credentials(for: "a", now: now + .seconds(1), crypto: OpenSSLCrypto())
        let other = try TURNSharedSecret(
            SecretBytes(Array("south".utf8)), life: .seconds(60), clockOffset: .seconds(1_000_000)
        ).credentials(for: "a", now: now, crypto: OpenSSLCrypto())
        #expect(other.username == made.username)
        #expect(Set([made, named, later, other].map(\.password)).count == 4)
        #expect(!"\(secret)".contains("north") && !String(reflecting: secret).contains("north"))
    }
}
