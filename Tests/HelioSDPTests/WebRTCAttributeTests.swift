import HelioCore
import HelioSDP
import Testing

/// The attributes that browsers exchange.
struct WebRTCAttributeTests {
    private static let digits = Array(repeating: "0A", count: 32).joined(separator: ":")

    @Test func valuesAreReadAndWritten() throws {
        func check<Value: AttributeValue>(_ text: String?, _ value: Value?) throws {
            let value = try #require(value)
            #expect(Value(attributeValue: text) == value)
            #expect(value.attributeValue == text)
        }
        try check("BUNDLE 0 video1", MediaGroup(MediaGroup.bundle, ["0", "video1"]))
        try check("BUNDLE", MediaGroup(MediaGroup.bundle, []))
        try check("sdparta_0", MediaID("sdparta_0"))
        try check("- {d4b1}", MediaStreamID(stream: "-", track: "{d4b1}"))
        try check("stream", MediaStreamID(stream: "stream"))
        try check("4294967295 cname:a b", SourceAttribute(SSRC(.max), "cname", "a b"))
        try check("1 flag", SourceAttribute(SSRC(1), "flag"))
        try check("FID 1 2", SourceGroup("FID", [SSRC(1), SSRC(2)]))
        try check("8hhY", ICEUsernameFragment("8hhY"))
        try check("asd88fgpdd777uzjYhagZg", ICEPassword("asd88fgpdd777uzjYhagZg"))
        try check("trickle ice2", ICEOptions(["trickle", "ice2"]))
        try check("1 1 UDP 1 192.0.2.1 9 typ host", CandidateLine("1 1 UDP 1 192.0.2.1 9 typ host"))
        try check(
            "sha-256 \(Self.digits)",
            CertificateFingerprint(hash: "sha-256", bytes: [UInt8](repeating: 10, count: 32)))
        try check("5000", SCTPPort(5000))
        try check("1073741823", MaximumMessageSize(1_073_741_823))
        try check(nil, RTCPReducedSize())
        try check(nil, BundleOnly())
        try check(nil, ExtensionMapAllowMixed())
        try check(nil, EndOfCandidates())
        try check(nil, ICELite())
    }

    @Test func fingerprintsAreReadInEitherCase() throws {
        let text = Array(repeating: "aF", count: 32).joined(separator: ":")
        let fingerprint = try #require(CertificateFingerprint(attributeValue: "SHA-256 \(text)"))
        #expect(fingerprint.hash == "sha-256")
        #expect(fingerprint.bytes == [UInt8](repeating: 0xAF, count: 32))
        #expect(fingerprint.isStrong)
        let old = Array(repeating: "00", count: 20).joined(separator: ":")
        #expect(CertificateFingerprint(attributeValue: "sha-1 \(old)")?.isStrong == false)
        #expect(CertificateFingerprint(attributeValue: "sha3-256 \(text)")?.isStrong == false)
    }

    @Test(arguments: [
        "", "sha-256", "sha-256 ", "sha-256 0A", "sha-256 \(digits):0A", "sha-256  \(digits)", "sha-256 \(digits) ",
        "sha-256 " + digits.replacing("0A", with: "0G"), "sha-256 " + digits.replacing(":", with: ""),
        "sha 256 \(digits)", "sha-1 \(digits)", "x " + Array(repeating: "00", count: 65).joined(separator: ":"),
        "sha-256 " + digits.replacing("0A", with: "+A"),
    ])
    func badFingerprint(text: String) {
        #expect(CertificateFingerprint(attributeValue: text) == nil)
    }

    @Test func lengthsOfCredentials() {
        #expect(ICEUsernameFragment("abc") == nil)
        #expect(ICEUsernameFragment(String(repeating: "a", count: 256)) != nil)
        #expect(ICEUsernameFragment(String(repeating: "a", count: 257)) == nil)
        #expect(ICEUsernameFragment("ab d") == nil)
        #expect(ICEUsernameFragment("ab-d") == nil)
        #expect(ICEPassword(String(repeating: "+", count: 21)) == nil)
        #expect(ICEPassword(String(repeating: "/", count: 22)) != nil)
        #expect(ICEPassword(String(repeating: "a", count: 257)) == nil)
        #expect(ICEPassword(String(repeating: "ä", count: 22)) == nil)
        #expect(ICEPassword(attributeValue: nil) == nil)
    }

    @Test func passwordsReachNoText() throws {
        let password = try #require(ICEPassword("asd88fgpdd777uzjYhagZg"))
        var dumped = ""
        dump([password], to: &dumped)
        for text in ["\(password)", String(reflecting: password), "\([password])", dumped] {
            #expect(!text.contains("asd88"))
        }
    }

    @Test(arguments: [nil, "", "a b", "a/b", String(repeating: "a", count: 256)])
    func badMediaID(text: String?) {
        #expect(MediaID(attributeValue: text) == nil)
    }

    @Test(arguments: ["", " ", "1", "x cname:a", "4294967296 cname:a", "1 ", "1 :a", "-1 cname"])
    func badSourceAttribute(text: String) {
        #expect(SourceAttribute(attributeValue: text) == nil)
    }

    @Test(arguments: ["", "FID", "FID x", "FID 1 4294967296", "F D/ 1"])
    func badSourceGroup(text: String) {
        #expect(SourceGroup(attributeValue: text) == nil)
    }

    @Test(arguments: ["", "0", "65536", "5000 ", "x"])
    func badSCTPPort(text: String) {
        #expect(SCTPPort(attributeValue: text) == nil)
    }

    @Test func othersAreRefusedToo() {
        #expect(MediaGroup(attributeValue: "") == nil)
        #expect(MediaGroup(attributeValue: "BUNDLE a/b") == nil)
        #expect(MediaStreamID(attributeValue: "a b c") == nil)
        #expect(MediaStreamID(attributeValue: "") == nil)
        #expect(ICEOptions(attributeValue: "") == nil)
        #expect(CandidateLine(attributeValue: "") == nil)
        #expect(CandidateLine(attributeValue: nil) == nil)
        #expect(MaximumMessageSize(attributeValue: "-1") == nil)
        #expect(BundleOnly(attributeValue: "") == nil)
    }

    @Test(arguments: MediaDirection.allCases)
    func directions(direction: MediaDirection) {
        var list = AttributeList([Attribute("sendrecvx"), Attribute("sendrecv", "1")])
        #expect(list.direction == nil)
        list.append(direction)
        list.append(MediaDirection.sendrecv)
        #expect(list.direction == direction)
        #expect(direction.reversed.reversed == direction)
        #expect(direction.reversed.sends == direction.receives)
        #expect(direction.intersection(.sendrecv) == direction)
        #expect(direction.intersection(.inactive) == .inactive)
        #expect(MediaDirection(sends: direction.sends, receives: direction.receives) == direction)
    }
}
