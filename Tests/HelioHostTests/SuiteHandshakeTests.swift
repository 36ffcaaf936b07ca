import HelioAdmission
import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSimulation
import Testing

@testable import HelioSession

@Suite("How two ends come to use a suite")
struct SuiteHandshakeTests {
    static let aes = ProtectionSuite(.aes128, .hmacSHA256)
    static let sm4 = ProtectionSuite(.sm4, .hmacMD5)

    @Test("the one place that decides: every combination has its outcome")
    func agreement() {
        typealias Case = (host: SuiteChoice?, viewer: SuiteChoice?, expected: String)
        let plain = SuiteChoice(Self.aes)
        let required = SuiteChoice(Self.aes, isRequired: true)
        let cases: [Case] = [
            (nil, nil, "off"), (plain, nil, "off"), (nil, plain, "off"), (plain, SuiteChoice(Self.sm4), "off"),
            (plain, plain, "on"), (required, plain, "on"), (plain, required, "on"), (required, required, "on"),
            (required, nil, "refused"), (nil, required, "refused"), (required, SuiteChoice(Self.sm4), "refused"),
            (SuiteChoice(Self.sm4), required, "refused"),
            (SuiteChoice(Self.aes, scope: .video), SuiteChoice(Self.aes, scope: .command), "off"),
            (SuiteChoice(Self.aes, scope: .video), plain, "on"),
            (SuiteChoice(Self.aes, scope: .video), required, "refused"),
            (required, SuiteChoice(Self.aes, scope: [.video, .command]), "refused"),
            (SuiteChoice(Self.aes, scope: .video, isRequired: true), plain, "on"),
        ]
        for (host, viewer, expected) in cases {
            let agreement = SuiteAgreement(host: host, viewer: viewer)
            let outcome =
                switch agreement {
                case .off: "off"
                case .on: "on"
                case .refused: "refused"
                }
            #expect(outcome == expected, "\(String(describing: host)) and \(String(describing: viewer))")
            // There is a summary if either end chose a suite.
            #expect((agreement.summary == nil) == (host == nil && viewer == nil))
        }
        #expect(
            SuiteAgreement(host: SuiteChoice(Self.aes, scope: .video, masksKeys: true), viewer: plain)
                == .on(Self.aes, scope: .video, masksKeys: false))
    }

    @Test("what is said is read as it was written, and what is malformed is not read at all")
    func header() {
        let proof = Array(repeating: UInt8(0xA5), count: 32)
        for suite in ProtectionSuite.all {
            for scope in [SuiteScope.video, .audio, .command, .all, [.video, .command]] {
                let header = SuiteHeader(
                    .offer, SuiteChoice(suite, scope: scope, masksKeys: true, isRequired: false), proof: proof)
                #expect(SuiteHeader(.offer, value: header.value) == header)
                #expect(SuiteHeader(.on, value: header.value) == nil)
            }
        }
        let good = SuiteHeader(.offer, SuiteChoice(Self.aes), proof: proof).value
        for (part, other) in [
            ("aes-128-cbc", "aes-512-cbc"), ("hmac-sha256", "none"), ("video+audio+cmd", ""),
            ("video+", "video+video+"),
            ("video+", "screen+"), ("mask=\"no\"", "mask=\"maybe\""), ("required=\"no\"", ""), ("a5a5", "a5"),
            ("a5a5", "a5a5a5"), ("offer ", ""), ("offer ", "offer x, "),
        ] {
            let bad = good.replacing(part, with: other, maxReplacements: 1)
            #expect(bad != good && SuiteHeader(.offer, value: bad) == nil, "\(bad)")
        }
    }

    @Test("both ends show that they have the secret, and no proof serves twice")
    func proofs() throws {
        let viewer = try Self.handshake(.test(Self.aes))
        let host = try Self.handshake(.test(Self.aes))
        let offer = try #require(try viewer.offer())
        let outcome = try host.judge(offer, vectorSeed: Self.seed)
        #expect(try viewer.confirm(outcome.answer, vectorSeed: Self.seed).agreement == outcome.agreement)

        // An offer for another connection, another host or another secret, or with a changed parameter.
        #expect(throws: SuiteHandshake.Refusal.keyDiffers) {
            try Self.handshake(.test(Self.aes), nonce: 8).judge(offer, vectorSeed: Self.seed)
        }
        #expect(throws: SuiteHandshake.Refusal.keyDiffers) {
            try Self.handshake(.test(Self.aes), fingerprint: 8).judge(offer, vectorSeed: Self.seed)
        }
        #expect(throws: SuiteHandshake.Refusal.keyDiffers) {
            try Self.handshake(.test(Self.aes, key: 8)).judge(offer, vectorSeed: Self.seed)
        }
        for (part, other) in [("video+", ""), ("mask=\"no\"", "mask=\"yes\"")] {
            #expect(throws: SuiteHandshake.Refusal.keyDiffers) {
                try host.judge(offer.replacing(part, with: other), vectorSeed: Self.seed)
            }
        }
    }

    @Test("a host that has not the secret, or says what was not offered, is not believed")
    func hostileHost() throws {
        let viewer = try Self.handshake(.test(Self.aes, scope: .video))
        let offer = try #require(try viewer.offer())
        func confirm(_ answer: String?) throws { _ = try viewer.confirm(answer, vectorSeed: Self.seed) }
        // The viewer's own proof, reflected as the host's.
        #expect(throws: SuiteHandshake.Refusal.keyDiffers) {
            try confirm("on" + offer.dropFirst("offer".count))
        }
        let proof = Array(repeating: UInt8(1), count: 32)
        #expect(throws: SuiteHandshake.Refusal.keyDiffers) {
            try confirm(SuiteHeader(.on, SuiteChoice(Self.aes, scope: .video), proof: proof).value)
        }
        for choice in [
            SuiteChoice(Self.sm4, scope: .video), SuiteChoice(Self.aes),
            SuiteChoice(Self.aes, scope: .video, masksKeys: true),
        ] {
            #expect(throws: SuiteHandshake.Refusal.malformed) {
                try confirm(SuiteHeader(.on, choice, proof: proof).value)
            }
        }
        #expect(throws: SuiteHandshake.Refusal.malformed) { try confirm("on") }
        // A missing answer means off, unless the suite is required.
        try confirm(nil)
        let strict = try Self.handshake(.test(Self.aes, isRequired: true))
        #expect(throws: (any Error).self) { try strict.confirm(nil, vectorSeed: Self.seed) }
        let careless = Self.handshake(nil)
        #expect(throws: SuiteHandshake.Refusal.malformed) {
            try careless.confirm(SuiteHeader(.on, SuiteChoice(Self.aes), proof: proof).value, vectorSeed: Self.seed)
        }
    }

    @Test("a viewer's header that can't be read is no suite left out")
    func hostileViewer() throws {
        for options in [nil, try SuiteOptions.test(Self.aes)] {
            let host = Self.handshake(options)
            for header in ["", "offer", "on", "offer suite=\"aes-128-cbc+hmac-sha256\""] {
                #expect(throws: SuiteHandshake.Refusal.malformed) { try host.judge(header, vectorSeed: Self.seed) }
            }
        }
    }

    @Test("a masked key is another one on the wire, each with a mask of its own, and comes back")
    func mask() throws {
        let crypto = OpenSSLCrypto()
        let host = try Self.handshake(.test(Self.aes, masksKeys: true))
        let viewer = try Self.handshake(.test(Self.aes, masksKeys: true))
        let outcome = try host.judge(try viewer.offer(), vectorSeed: Self.seed)
        let theirs = try #require(outcome.suite)
        let ours = try #require(try viewer.confirm(outcome.answer, vectorSeed: Self.seed).suite)
        var random = SeededGenerator(seed: 3)
        let control = SealedKey(using: &random)
        let offer = StreamOffer(
            format: .test,
            mediaKey: try #require(SRTPMasterKey(profile: StreamOffer.profile, keyAndSalt: control.keyAndSalt.bytes)),
            controlKey: control, allowsControl: true)
        let sent = try offer.masked(by: theirs, crypto: crypto)
        #expect(sent.mediaKey != offer.mediaKey && sent.controlKey != offer.controlKey)
        #expect(sent.mediaKey.keyAndSalt != sent.controlKey.keyAndSalt)
        let received = try sent.masked(by: ours, crypto: crypto)
        #expect(received.mediaKey == offer.mediaKey && received.controlKey == offer.controlKey)
    }

    private static let seed = SecretBytes(Array(repeating: 4, count: 32))

    private static func handshake(_ options: SuiteOptions?, nonce: UInt8 = 6, fingerprint: UInt8 = 9) -> SuiteHandshake
    {
        SuiteHandshake(
            options, certificateFingerprint: Array(repeating: fingerprint, count: 32),
            clientNonce: Array(repeating: 5, count: 16), hostNonce: Array(repeating: nonce, count: 16),
            crypto: OpenSSLCrypto())
    }
}
