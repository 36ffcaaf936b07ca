import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

@Suite("Secrets")
struct SecretsTests {
    /// Bytes of 222, recognisable in an array's description.
    let bytes = [UInt8](repeating: 222, count: 16)

    @Test func nothingShowsTheirContents() throws {
        let master = try #require(SRTPMasterKey(profile: .aeadAes128Gcm, keyAndSalt: bytes + bytes.dropLast(4)))
        let sealed = try #require(SealedKey(keyAndSalt: bytes + bytes.dropLast(4)))
        let keys = SRTPSessionKeys(
            profile: .aeadAes128Gcm,
            rtp: .init(encryption: master.key, authentication: SecretBytes([]), salt: master.salt),
            rtcp: .init(encryption: master.key, authentication: SecretBytes([]), salt: master.salt))
        let nonce = [UInt8](repeating: 1, count: 16)
        let proof = try #require(
            LinkProof(
                secret: SecretBytes(bytes), binding: nonce + nonce, clientNonce: nonce, hostNonce: nonce)
        )
        let all: [Any] = [SecretBytes(bytes), master, sealed, keys, keys.rtp, proof]
        for value in all {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(describing: value), String(reflecting: value), dumped] {
                #expect(!text.contains("222") && !text.lowercased().contains("de, "), "\(text)")
                #expect(text.contains("<secret>"), "\(text)")
            }
        }
    }

    @Test func comparisonLooksAtEveryByte() {
        for position in bytes.indices {
            var other = bytes
            other[position] ^= 1
            #expect(SecretBytes(bytes) != SecretBytes(other))
        }
        #expect(SecretBytes(bytes) == SecretBytes(bytes))
        #expect(SecretBytes(bytes) != SecretBytes(bytes + [222]))
        #expect(SecretBytes([]) == SecretBytes([]))
    }

    @Test func secureGeneratorFillsAllItsBytes() {
        var generator = SecureGenerator()
        #expect(generator.bytes(count: 0).isEmpty)
        // An unwritten byte would stay zero in all of 64 tries; a random one does with a probability of 2^-512.
        var filled = [UInt8](repeating: 0, count: 33)
        for _ in 0..<64 {
            let bytes = generator.bytes(count: 33)
            #expect(bytes.count == 33)
            for offset in bytes.indices { filled[offset] |= bytes[offset] }
        }
        #expect(!filled.contains(0))
        #expect(generator.next() != generator.next())
    }
}
