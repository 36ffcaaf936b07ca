import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

@Suite("The spec's suites (rows 32, 33 and 36)")
struct SuiteTests {
    @Test("whatever was protected comes out again", arguments: ProtectionSuite.all)
    func roundTrip(_ suite: ProtectionSuite) throws {
        let pair = try SuitePair(suite)
        for length in [0, 1, 15, 16, 17, 31, 32, 33, 1100] {
            let plain = SRTPPair.packet(UInt64(length), payload: length)
            let sealed = try pair.send(UInt64(length), payload: length)
            #expect(sealed.count - plain.count == 16 - length % 16 + 16 + suite.integrity.tagLength)
            #expect((suite.leastOverhead...suite.mostOverhead).contains(sealed.count - plain.count))
            #expect(sealed[..<12] == plain[..<12], "the header stays readable")
            #expect(try pair.open(sealed) == plain)
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            #expect(pair.open(message: try pair.seal(message)) == message)
        }
        #expect(pair.rtpOverhead == suite.mostOverhead)
        #expect(try pair.open(rtcp: try pair.sendControl()) == SRTPPair.control())
        #expect(pair.drops.total == 0 && pair.controlDrops.total == 0)
    }

    @Test("names are read as they are written, and no others")
    func names() {
        for suite in ProtectionSuite.all { #expect(ProtectionSuite(name: suite.name) == suite) }
        #expect(Set(ProtectionSuite.all.map(\.name)).count == 12)
        for name in ["", "aes-128-cbc", "aes-128-cbc+", "+hmac-md5", "aes-128-cbc+hmac-md5+", "AES-128-CBC+HMAC-MD5"] {
            #expect(ProtectionSuite(name: name) == nil, "\(name)")
        }
    }

    @Test("every packet has a vector of its own, and equal packets look different")
    func vectors() throws {
        let suite = ProtectionSuite(.aes256, .hmacSHA256)
        let pair = try SuitePair(suite)
        var vectors: Set<[UInt8]> = []
        for sequence in UInt64(0)..<2000 {
            let sealed = try pair.send(sequence)
            vectors.insert(Array(sealed.dropLast(suite.integrity.tagLength).suffix(16)))
        }
        #expect(vectors.count == 2000)
        let messages = try (0..<2).map { _ in Array(try pair.seal([1, 2, 3]).dropFirst(8)) }
        #expect(messages[0] != messages[1])
    }

    @Test("each session, direction, channel and part of the secret makes other keys")
    func keysDiffer() throws {
        let suite = ProtectionSuite(.aes128, .hmacSHA256)
        let sealed = try SuitePair(suite).send(1)
        #expect(try SuitePair(suite, session: 43).drop(sealed) == .authenticationFailed)
        for other in [
            try SuiteSecret.test(.aes128, key: 9), try .test(.aes128, vector: 9), try .test(.aes128, authentication: 9),
        ] {
            #expect(try SuitePair(suite, receiver: other).drop(sealed) == .authenticationFailed)
        }
        #expect(try SuitePair(ProtectionSuite(.sm4, .hmacSHA256)).drop(sealed) == .authenticationFailed)
        #expect(try SuitePair(ProtectionSuite(.aes128, .hmacSHA256Cut)).drop(sealed) == .authenticationFailed)
        let pair = try SuitePair(suite)
        #expect(pair.drop(rtcp: try pair.send(1, payload: 60)) != nil)
        #expect(pair.drop(try pair.sendControl(more: 60)) != nil)
    }

    @Test("the injected key never encrypts anything itself")
    func injectedKeyIsNotUsed() throws {
        let suite = ProtectionSuite(.aes128, .hmacSHA256)
        let sealed = try SuitePair(suite).send(1, payload: 32)
        var body = Array(sealed[12..<60])
        let vector = CounterBlock { sealed[60 + $0] }
        let cipher = try OpenSSLCrypto().decryptor(.aes128, key: SecretBytes(Vectors.repeated(1, 16)))
        try cipher.apply(to: &body, range: body.indices, vector: vector)
        #expect(Array(body.prefix(32)) != Array(SRTPPair.packet(1, payload: 32).dropFirst(12)))
    }

    @Test("a secret has the lengths that the spec's parts need, and never shows")
    func lengths() throws {
        func make(_ cipher: SuiteCipher, _ key: Int, _ vector: Int = 16, _ authentication: Int = 32) -> SuiteSecret? {
            SuiteSecret(
                for: cipher, key: SecretBytes(Vectors.repeated(1, key)),
                vector: SecretBytes(Vectors.repeated(1, vector)),
                authenticationKey: SecretBytes(Vectors.repeated(1, authentication)))
        }
        for cipher in SuiteCipher.allCases {
            for length in 0...40 { #expect((make(cipher, length) != nil) == (length == cipher.keyLength)) }
        }
        for length in 0...40 { #expect((make(.aes128, 16, length) != nil) == (length == 16)) }
        for length in 0...80 { #expect((make(.aes128, 16, 16, length) != nil) == (16...64).contains(length)) }
        #expect(try "\(SuiteSecret.test(.sm4))" == "<secret>")
    }

    @Test("the mask of signalling takes itself off, and differs by key and by session")
    func mask() throws {
        let crypto = OpenSSLCrypto()
        let schedule = try SuiteKeySchedule(
            ProtectionSuite(.aes256, .hmacSHA256), try SuiteSecret.test(.aes256), crypto: crypto)
        let material = SecretBytes(Array(0..<28))
        let nonces = Vectors.repeated(5, 32)
        let masked = try schedule.mask(material, label: "a", nonces: nonces, crypto: crypto)
        #expect(masked != material && masked.count == 28)
        #expect(try schedule.mask(masked, label: "a", nonces: nonces, crypto: crypto) == material)
        #expect(try schedule.mask(material, label: "b", nonces: nonces, crypto: crypto) != masked)
        #expect(try schedule.mask(material, label: "a", nonces: Vectors.repeated(6, 32), crypto: crypto) != masked)
    }
}
