import HelioCore
import HelioSDP
import Testing

struct AttributeValueTests {
    private let video = PayloadType(96)
    private static let key = [UInt8](0..<16)
    private static let salt = [UInt8](100..<112)
    private static let material = "AAECAwQFBgcICQoLDA0OD2RlZmdoaWprbG1ubw=="

    @Test func typedAttributesRoundTripInOrder() throws {
        var list = AttributeList()
        list.append(RTPMap(video, "H264", clockRate: 90_000))
        list.append(RTPMap(PayloadType(111), "opus", clockRate: 48_000, channels: 2))
        list.append(FormatParameters(video, [.init("packetization-mode", "1"), .init("flag")]))
        list.append(RTCPFeedback(video, "nack", "pli"))
        list.append(RTCPFeedback(nil, "transport-cc"))
        list.append(RTCPMux())
        list.append(ExtensionMap(2, "urn:x", direction: .sendonly, parameters: "a b"))
        list.append(ControlURL("video"))
        list.append(SetupRole.either)
        list.append(
            try #require(CryptoAttribute(tag: 1, suite: .aeadAES128GCM, key: Self.key, salt: Self.salt)))
        #expect(
            list.all.map(\.name) == [
                "rtpmap", "rtpmap", "fmtp", "rtcp-fb", "rtcp-fb", "rtcp-mux", "extmap", "control", "setup", "crypto",
            ])
        #expect(
            list.all.map(\.value) == [
                "96 H264/90000", "111 opus/48000/2", "96 packetization-mode=1;flag", "96 nack pli", "* transport-cc",
                nil, "2/sendonly urn:x a b", "video", "actpass", "1 AEAD_AES_128_GCM inline:\(Self.material)",
            ])
        #expect(list.rtpMap(for: PayloadType(111))?.channels == 2)
        #expect(list.rtpMap(for: PayloadType(97)) == nil)
        #expect(list.formatParameters(for: video)?["Packetization-Mode"] == "1")
        #expect(list.formatParameters(for: video)?["flag"] == "")
        #expect(list.formatParameters(for: video)?["none"] == nil)
        #expect(list.values(of: RTCPFeedback.self).map(\.payloadType) == [video, nil])
        #expect(list.hasRTCPMux)
        #expect(list.first(ExtensionMap.self)?.uri == "urn:x")
        #expect(list.first(ControlURL.self)?.url == "video")
        #expect(list.first(SetupRole.self) == .either)
        #expect(list.first(CryptoAttribute.self)?.key == Self.key)
        #expect(list.first(CryptoAttribute.self)?.salt == Self.salt)
    }

    @Test func spacesAroundParametersDoNotCount() throws {
        let parameters = try #require(FormatParameters(attributeValue: "96 a=1 ; b = x=y;; c"))
        #expect(parameters.parameters == [.init("a", "1"), .init("b", "x=y"), .init("c")])
        #expect(parameters.attributeValue == "96 a=1;b=x=y;c")
    }

    @Test(arguments: [
        "", "96", "96 ", "96 H264", "96 H264/", "96 H264/0", "96 H264/+90000", "96 H264/4294967296", "96 /90000",
        "128 H264/90000", "-1 H264/90000", "96  H264/90000", "96 opus/48000/0", "96 opus/48000/256", "96 a/1/1/1",
    ])
    func badRTPMap(text: String) {
        #expect(RTPMap(attributeValue: text) == nil)
    }

    @Test(arguments: ["", "96", "96 ", "96 ;", "96 =1", "x a=1", "128 a=1"])
    func badFormatParameters(text: String) {
        #expect(FormatParameters(attributeValue: text) == nil)
    }

    @Test(arguments: ["", "96", "96 ", "96 nack ", "x nack", "128 nack", "** nack"])
    func badRTCPFeedback(text: String) {
        #expect(RTCPFeedback(attributeValue: text) == nil)
    }

    @Test(arguments: ["", "1", "1 ", "0 urn:x", "256 urn:x", "1/both urn:x", "1/ urn:x", "1 urn:x ", "x urn:x"])
    func badExtensionMap(text: String) {
        #expect(ExtensionMap(attributeValue: text) == nil)
    }

    @Test(
        "an end that only receives learns the round trip where all may tell their time",
        arguments: [
            ("rcvr-rtt=all", true), ("voip-metrics rcvr-rtt=all:10000 stat-summary=loss,dup", true),
            ("rcvr-rtt=sender", false), ("rcvr-rtt=allx", false), ("pkt-loss-rle", false), ("", false),
        ])
    func extendedReports(text: String, hasRoundTrip: Bool) {
        #expect(ExtendedReports(attributeValue: text)?.hasReceiverRoundTrip == hasRoundTrip)
    }

    @Test func flagsHaveNoValueAndOthersDo() {
        #expect(RTCPMux(attributeValue: "1") == nil)
        #expect(SetupRole(attributeValue: nil) == nil)
        #expect(SetupRole(attributeValue: "Active") == nil)
        #expect(ControlURL(attributeValue: "") == nil)
        #expect(ControlURL(attributeValue: "a b") == nil)
    }

    @Test(arguments: [
        "", "1", "1 AEAD_AES_128_GCM", "1 AEAD_AES_128_GCM inline:",
        "x AEAD_AES_128_GCM inline:\(material)", "1000000000 AEAD_AES_128_GCM inline:\(material)",
        "1 F8_128_HMAC_SHA1_80 inline:\(material)", "1 aead_aes_128_gcm inline:\(material)",
        "1 AEAD_AES_256_GCM inline:\(material)", "1 AES_CM_128_HMAC_SHA1_80 inline:\(material)",
        "1 AEAD_AES_128_GCM uri:\(material)", "1 AEAD_AES_128_GCM inline:\(material)|2^20",
        "1 AEAD_AES_128_GCM inline:\(material)|1:4", "1 AEAD_AES_128_GCM inline:\(material);inline:\(material)",
        "1 AEAD_AES_128_GCM inline:\(material) UNENCRYPTED_SRTP", "1 AEAD_AES_128_GCM inline:AAEC",
    ])
    func badCrypto(text: String) {
        #expect(CryptoAttribute(attributeValue: text) == nil)
    }

    @Test func optionalCryptoSessionParametersMayBeIgnored() {
        #expect(CryptoAttribute(attributeValue: "1 AEAD_AES_128_GCM inline:\(Self.material) -X") != nil)
    }

    @Test(arguments: CryptoSuite.allCases)
    func keysHaveTheSuitesLengths(suite: CryptoSuite) {
        let key = [UInt8](repeating: 1, count: suite.keyLength)
        let salt = [UInt8](repeating: 2, count: suite.saltLength)
        let attribute = CryptoAttribute(tag: 7, suite: suite, key: key, salt: salt)
        #expect(attribute != nil)
        #expect(CryptoAttribute(attributeValue: attribute?.attributeValue) == attribute)
        #expect(CryptoAttribute(tag: 7, suite: suite, key: key + [0], salt: salt) == nil)
        #expect(CryptoAttribute(tag: 7, suite: suite, key: key, salt: []) == nil)
    }

    @Test func keysReachNoText() throws {
        let crypto = try #require(CryptoAttribute(tag: 1, suite: .aeadAES128GCM, key: Self.key, salt: Self.salt))
        var session = SessionDescription(origin: Origin(sessionID: 1, host: ConnectionData(.ip4, "192.0.2.1")))
        var section = MediaSection(.video, port: 0, transport: "RTP/SAVPF", formats: ["96"])
        section.attributes.append(crypto)
        section.attributes.all.append(Attribute("Crypto", Self.material))
        section.attributes.all.append(Attribute("ice-pwd", Self.material))
        session.attributes.append(crypto)
        session.media = [section]
        var texts = ["\(crypto)", String(reflecting: crypto), "\([crypto])", "\(session)", String(reflecting: session)]
        texts += ["\(section)", String(reflecting: section.attributes), "\(section.attributes.all)"]
        for subject in [crypto, session, section, session.attributes] as [Any] {
            var dumped = ""
            dump(subject, to: &dumped)
            texts.append(dumped)
        }
        for text in texts {
            #expect(!text.contains("AAECAwQF"))
            #expect(!text.contains("4, 5, 6") && !text.contains("- 101"))
        }
        #expect("\(session)".contains("a=crypto:<redacted>"))
        // The serialised form does contain them.
        #expect(String(decoding: session.serialised(), as: UTF8.self).contains(Self.material))
    }
}
