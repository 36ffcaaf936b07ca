import HelioOpenSSL
import HelioProtection
import Testing

@Suite("Signatures by Ed25519 (RFC 8032)")
struct Ed25519Tests {
    /// The PKCS #8 text of the key of RFC 8032 section 7.1, test 2.
    private static let known = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7
        -----END PRIVATE KEY-----
        """

    @Test("a key signs, and only its own public key and the same message verify it")
    func signing() throws {
        let key = try Ed25519Key()
        let other = try Ed25519Key()
        let message = Array("a nonce of the server".utf8)
        let signature = try key.sign(message)
        let verifier = Ed25519Verifier()
        #expect(signature.count == 64 && key.publicKey.count == 32)
        #expect(key.publicKey != other.publicKey)
        #expect(verifier.isValid(signature, of: message, by: key.publicKey))
        #expect(!verifier.isValid(signature, of: message, by: other.publicKey))
        #expect(!verifier.isValid(signature, of: message + [0], by: key.publicKey))
        for index in [0, 31, 32, 63] {
            var changed = signature
            changed[index] ^= 1
            #expect(!verifier.isValid(changed, of: message, by: key.publicKey))
        }
    }

    @Test("an empty message can be signed; wrong lengths and arbitrary bytes never verify")
    func lengths() throws {
        let key = try Ed25519Key()
        let signature = try key.sign([])
        let verifier = Ed25519Verifier()
        #expect(verifier.isValid(signature, of: [], by: key.publicKey))
        #expect(!verifier.isValid([], of: [], by: key.publicKey))
        #expect(!verifier.isValid(signature + [0], of: [], by: key.publicKey))
        #expect(!verifier.isValid(signature, of: [], by: []))
        #expect(!verifier.isValid(signature, of: [], by: key.publicKey + [0]))
        for byte: UInt8 in [0, 0x7F, 0xFF] {
            #expect(!verifier.isValid(signature, of: [], by: [UInt8](repeating: byte, count: 32)))
        }
    }

    @Test("a key survives its text, and the RFC's key has the RFC's signature")
    func text() throws {
        let key = try Ed25519Key()
        let again = try Ed25519Key(pem: key.pem())
        #expect(again.publicKey == key.publicKey)
        #expect(try again.sign([1, 2, 3]) == key.sign([1, 2, 3]))

        let known = try Ed25519Key(pem: Array(Self.known.utf8))
        #expect(known.publicKey.prefix(4) == [0x3D, 0x40, 0x17, 0xC3])
        let signature = try known.sign([0x72])
        #expect(signature.prefix(4) == [0x92, 0xA0, 0x09, 0xA9])
        #expect(signature.suffix(2) == [0x0C, 0x00])
    }

    @Test("text that is no key, and a key of another kind, are errors")
    func wrongText() throws {
        #expect(throws: CryptoError.self) { try Ed25519Key(pem: []) }
        #expect(throws: CryptoError.self) { try Ed25519Key(pem: Array("no key".utf8)) }
        let certified = try CertifiedKey(selfSigned: "test", lifetime: .seconds(3600))
        #expect(throws: CryptoError.self) { try Ed25519Key(pem: certified.keyPEM()) }
    }
}
