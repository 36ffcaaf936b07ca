import HelioCore
import HelioSTUN
import Testing

struct CandidateAttributeTests {
    /// Candidates of browsers, of RFC 8839 and of RFC 6544.
    @Test(arguments: [
        "1 1 udp 2130706431 203.0.113.141 8998 typ host",
        "2 1 udp 1694498815 192.0.2.3 45664 typ srflx raddr 203.0.113.141 rport 8998",
        "842163049 1 udp 1677729535 198.51.100.1 54321 typ srflx raddr 0.0.0.0 rport 0 generation 0 network-cost 999",
        "3 1 tcp 1518280447 2001:db8::5 9 typ host tcptype active",
        "0 2 udp 2122252543 f3b8a2c4-7f1e-4f0a-9d55-3f5f6a3a1b2c.local 49203 typ host",
        "a+/9 256 tcp 1 192.0.2.9 65535 typ relay raddr x.example rport 9 tcptype so ufrag a:b",
    ])
    func comesBack(line: String) throws {
        let candidate = try #require(CandidateAttribute(attributeValue: line))
        #expect(candidate.attributeValue == line)
        #expect(CandidateAttribute(attributeValue: "candidate:" + line) == candidate)
        #expect(CandidateAttribute(attributeValue: "a=candidate:" + line) == candidate)
    }

    @Test func partsAreRead() throws {
        let candidate = try #require(
            CandidateAttribute(
                attributeValue: "2 1 UDP 1694498815 192.0.2.3 45664 typ srflx raddr ::1 rport 8998 generation 0"))
        #expect(candidate.foundation == "2" && candidate.component == 1 && candidate.transport == .udp)
        #expect(candidate.priority == 1_694_498_815 && candidate.kind == .serverReflexive)
        #expect(candidate.host == .ip(.v4(0xC000_0203)) && candidate.port == 45664)
        #expect(candidate.related == .init(host: .ip(.v6(high: 0, low: 1)), port: 8998))
        #expect(candidate.extensions == [.init(name: "generation", value: "0")])
    }

    @Test(arguments: [
        "", " ", "1 1 udp 1 192.0.2.1 1 typ", "1 1 udp 1 192.0.2.1 1 typ host x", "1 1 udp 1 192.0.2.1 1 type host",
        "1  1 udp 1 192.0.2.1 1 typ host", "- 1 udp 1 192.0.2.1 1 typ host", "1 0 udp 1 192.0.2.1 1 typ host",
        "1 257 udp 1 192.0.2.1 1 typ host", "1 1 sctp 1 192.0.2.1 1 typ host", "1 1 udp 0 192.0.2.1 1 typ host",
        "1 1 udp 2147483648 192.0.2.1 1 typ host", "1 1 udp -1 192.0.2.1 1 typ host", "1 1 udp 1 192.0.2 1 typ host",
        "1 1 udp 1 300.0.2.1 1 typ host", "1 1 udp 1 [::1] 1 typ host", "1 1 udp 1 192.0.2.1 65536 typ host",
        "1 1 udp 1 192.0.2.1 1 typ new", "1 1 tcp 1 192.0.2.1 1 typ host", "1 1 udp 1 192.0.2.1 1 typ host tcptype x",
        "1 1 udp 1 192.0.2.1 1 typ srflx raddr 1.1.1.1", "1 1 udp 1 192.0.2.1 1 typ srflx rport 1 raddr 1.1.1.1",
        "1 1 udp 1 a\u{0}.local 1 typ host", "1 1 udp 1 192.0.2.1 99999999999999999999 typ host",
        "123456789012345678901234567890123 1 udp 1 192.0.2.1 1 typ host",
    ])
    func refused(line: String) {
        #expect(CandidateAttribute(attributeValue: line) == nil)
    }

    @Test func lengthAndExtensionsAreBounded() {
        let line = "1 1 udp 1 192.0.2.1 1 typ host"
        let most = line + String(repeating: " a b", count: CandidateAttribute.maximumExtensions)
        #expect(CandidateAttribute(attributeValue: most) != nil)
        #expect(CandidateAttribute(attributeValue: most + " a b") == nil)
        #expect(CandidateAttribute(attributeValue: line + " a " + String(repeating: "b", count: 1024)) == nil)
        #expect(CandidateAttribute(attributeValue: nil) == nil)
    }

    @Test(arguments: [("a.local", true), ("A.LOCAL", true), (".local", false), ("local", false), ("a.localx", false)])
    func multicastNames(name: String, isMulticast: Bool) {
        #expect(CandidateHost(name)?.isMulticastName == isMulticast)
    }

    /// RFC 8445 section 5.1.2.1: 126 * 2^24 + 65535 * 2^8 + 255.
    @Test func prioritiesAreTheFormulas() {
        #expect(CandidateKind.host.priority(localPreference: 65535) == 2_130_706_431)
        #expect(CandidateKind.serverReflexive.priority(localPreference: 65535) == 1_694_498_815)
        #expect(CandidateKind.relayed.priority(localPreference: 0) == 255)
    }

    @Test func wordsOfICE() {
        #expect(ICEText.isUsernameFragment("8hhY") && !ICEText.isUsernameFragment("abc"))
        #expect(!ICEText.isUsernameFragment("ab:cd") && !ICEText.isUsernameFragment("ab\u{E9}cd"))
        #expect(ICEText.isPassword("asd88fgpdd777uzjYhagZg") && !ICEText.isPassword("asd88fgpdd777uzjYhagZ"))
        #expect(!ICEText.isPassword(String(repeating: "a", count: 257)))
        #expect(ICEText.options("ice2 trickle") == ["ice2", "trickle"] && ICEText.options(nil).isEmpty)
    }
}
