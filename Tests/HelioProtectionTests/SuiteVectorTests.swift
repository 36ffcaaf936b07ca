import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

/// Known-answer vectors, copied from the documents named.
@Suite("Known answers of the spec's suites")
struct SuiteVectorTests {
    struct CBC: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cipher: SuiteCipher
        let key: [UInt8]
        let plain: [UInt8]
        let secret: [UInt8]
    }

    static let counting = hex("000102030405060708090a0b0c0d0e0f")
    static let nist = hex(
        """
        6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
        30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
        """)
    static let ribose = hex("aaaaaaaabbbbbbbbccccccccdddddddd eeeeeeeeffffffffaaaaaaaabbbbbbbb")

    static let vectors = [
        CBC(
            testDescription: "NIST SP 800-38A F.2.1", cipher: .aes128, key: hex("2b7e151628aed2a6abf7158809cf4f3c"),
            plain: nist,
            secret: hex(
                """
                7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2
                73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7
                """)),
        CBC(
            testDescription: "NIST SP 800-38A F.2.3", cipher: .aes192,
            key: hex("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"), plain: nist,
            secret: hex(
                """
                4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a
                571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd
                """)),
        CBC(
            testDescription: "NIST SP 800-38A F.2.5", cipher: .aes256,
            key: hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"), plain: nist,
            secret: hex(
                """
                f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d
                39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b
                """)),
        CBC(
            testDescription: "draft-ribose-cfrg-sm4-10 A.2.2.1", cipher: .sm4,
            key: hex("0123456789abcdeffedcba9876543210"), plain: ribose,
            secret: hex("78ebb11cc40b0a48312aaeb2040244cb 4cb7016951909226979b0d15dc6a8f6d")),
        CBC(
            testDescription: "draft-ribose-cfrg-sm4-10 A.2.2.2", cipher: .sm4,
            key: hex("fedcba98765432100123456789abcdef"), plain: ribose,
            secret: hex("0d3a6ddc2d21c698857215587b7bb59a 91f2c147911a4144665e1fa1d40bae38")),
    ]

    @Test(arguments: vectors) func cbc(_ vector: CBC) throws {
        let crypto = OpenSSLCrypto()
        let key = SecretBytes(vector.key)
        let start = CounterBlock { Self.counting[$0] }
        let encryptor = try crypto.encryptor(vector.cipher, key: key)
        let decryptor = try crypto.decryptor(vector.cipher, key: key)
        // A context can be used for several packets, and changes only the given range.
        for _ in 0..<2 {
            var bytes = [7] + vector.plain + [9]
            let range = 1..<bytes.count - 1
            try encryptor.apply(to: &bytes, range: range, vector: start)
            #expect(bytes == [7] + vector.secret + [9])
            try decryptor.apply(to: &bytes, range: range, vector: start)
            #expect(bytes == [7] + vector.plain + [9])
            #expect(throws: CryptoError.badLength(17)) {
                try encryptor.apply(to: &bytes, range: 0..<17, vector: start)
            }
        }
        #expect(throws: CryptoError.self) { try crypto.encryptor(vector.cipher, key: SecretBytes([1, 2, 3])) }
    }

    /// GB/T 32907-2016 A.1 and A.2: one block, and the same block encrypted 1,000,000 times. CBC over zeros does that:
    /// each block is the encryption of the one before.
    @Test func sm4Standard() throws {
        let block = hex("0123456789abcdeffedcba9876543210")
        var bytes = [UInt8](repeating: 0, count: 16_000_000)
        let context = try OpenSSLCrypto().encryptor(.sm4, key: SecretBytes(block))
        try context.apply(to: &bytes, range: bytes.indices, vector: CounterBlock { block[$0] })
        #expect(Array(bytes[..<16]) == hex("681edf34d206965e86b3e94f536e4246"))
        #expect(Array(bytes.suffix(16)) == hex("595298c7c6fd271f0402f804c33d3f66"))
    }

    /// Control channel datagrams made by another implementation from the description in `SuiteKeySchedule` and
    /// `SuiteSealer`: Python's `hmac`, and `openssl enc` with its own padding. Key, iv and authKey are bytes of 1, 2
    /// and 3; the session's key and salt are 0, 1, ... 27; sequence 5.
    @Test(
        arguments: [
            (
                ProtectionSuite(.aes256, .hmacSHA256),
                """
                000000000000000550098cd248a2162fee959cf78ef7894979d88c6f00863abdfb3d20c618a7bc75
                f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff2b75bebfd15c332a596b04f86352f21e6250819dd56721f8660c6ecc7e8aa21e
                """
            ),
            (
                ProtectionSuite(.aes192, .hmacSHA256Cut),
                """
                0000000000000005054d20cfcbc3ad184f3264af7bbc982cf7f924c4e2617d6ca7e357a82825c804
                f0f1f2f3f4f5f6f7f8f9fafbfcfdfefff0eb27bd83013699257e12b7484659e5
                """
            ),
            (
                ProtectionSuite(.sm4, .hmacMD5),
                """
                0000000000000005805ad6f5fdef08901d904d01ed36212eca6c55601b2b2464be1528290118d8a8
                f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff12c7d0f536cb6517b9e3a26d5ffb0e5e
                """
            ),
        ]) func otherImplementation(_ suite: ProtectionSuite, _ datagram: String) throws
    {
        let key = try #require(SealedKey(keyAndSalt: Array(0..<28)))
        let crypto = try SuiteCrypto.test(suite, try .test(suite.cipher), vectorSeed: 1)
        var receiver = try SealedReceiver(key: key, crypto: crypto)
        #expect(receiver.open(hex(datagram)) == Array("pointer to 0.5, 0.5".utf8))
    }

    /// RFC 4231 case 5: HMAC-SHA256 truncated to 128 bits equals `hmacSHA256Cut`.
    @Test func cutCode() throws {
        let mac = try OpenSSLCrypto().mac(.sha256, key: SecretBytes(Vectors.repeated(0x0c, 20)))
        let code = mac.code(over: Array("Test With Truncation".utf8).span.bytes, trailer: nil)
        #expect(SuiteIntegrity.hmacSHA256Cut.tagLength == 16)
        #expect(Array(code.bytes.prefix(16)) == hex("a3b6167473100ee06e0c796c2955552b"))
    }
}
