import HelioCore
import Heliograph
import Testing

@Suite("A suite's options")
struct ProtectionOptionsTests {
    static let text = "key=000102030405060708090a0b0c0d0e0f\niv=\(zeros)\nauth-key=\(zeros)\(zeros) # ours\n"
    static let zeros = String(repeating: "0", count: 32)

    @Test("every name of the specification's suites is taken")
    func names() throws {
        for cipher in ProtectionOptions.Cipher.allCases {
            let keys = ProtectionOptions.Keys(
                key: Array(repeating: 1, count: cipher.keyLength), iv: Array(repeating: 2, count: 16),
                authKey: Array(repeating: 3, count: 32))
            for integrity in ProtectionOptions.Integrity.allCases {
                let options = try ProtectionOptions("\(cipher.rawValue),\(integrity.rawValue)", keys: keys)
                #expect(options.cipher == cipher && options.integrity == integrity)
                #expect(options.scope == .all && !options.isRequired && !options.masksKeys)
            }
        }
        #expect(try ProtectionOptions.Scope(names: "video,cmd") == [.video, .command])
        #expect(try ProtectionOptions.Scope(names: "audio") == .audio)
    }

    @Test("keys are read in any order, and never show")
    func keys() throws {
        let keys = try ProtectionOptions.Keys(text: Self.text)
        #expect("\(keys)" == "<secret>" && !String(reflecting: keys).contains("1, 2, 3"))
        _ = try ProtectionOptions(.aes128, .hmacSHA256, keys: keys)
        let turned = Self.text.split(separator: "\n").reversed().joined(separator: "  \n")
        #expect(throws: Never.self) { try ProtectionOptions.Keys(text: turned) }
        #expect(throws: Never.self) { try ProtectionOptions.Keys(text: "iv=00 auth-key=01 key=02") }
        var dumped = ""
        dump(try ProtectionOptions(.aes128, .hmacSHA256, keys: keys), to: &dumped)
        #expect(!dumped.contains("15") && !dumped.contains("0f"))
    }

    @Test(
        "what is no key is refused without being repeated",
        arguments: [
            "", "key=00", "key=0g iv=00 auth-key=00", "key=000 iv=00 auth-key=00", "key=00 key=00 iv=00 auth-key=00",
            "key=00 iv=00 auth-key=00 more=77", "77", "key 77 iv 00 auth-key 00",
        ])
    func badKeys(_ text: String) throws {
        let error = try #require(throws: HelioError.self) { try ProtectionOptions.Keys(text: text) }
        #expect(error.code == .invalidArgument && !error.message.contains("77"))
    }

    @Test("a suite that can't be is refused with what can")
    func mistakes() throws {
        let keys = try ProtectionOptions.Keys(text: Self.text)
        for name in ["", "aes-128-cbc", "aes-128-cbc,", "aes-128-cbc,hmac-sha256,x", "AES,SHA256"] {
            #expect(throws: HelioError.self) { try ProtectionOptions(name, keys: keys) }
        }
        let error = try #require(throws: HelioError.self) { try ProtectionOptions(.aes256, .hmacMD5, keys: keys) }
        #expect(error.message.contains("needs a key of 32 bytes") && error.message.contains("have 16"))
        for names in ["", "video,", "video,video", "picture"] {
            #expect(throws: HelioError.self) { try ProtectionOptions.Scope(names: names) }
        }
        var empty = MirrorSink.Options()
        empty.protection = try ProtectionOptions(.aes128, .hmacSHA256, keys: keys)
        empty.protection?.scope = []
        let link = "heliograph://127.0.0.1:9/#0000-0000-0000-0000"
        #expect(throws: HelioError.self) { try MirrorSink(link: link, options: empty) }
        empty.protection?.scope = .all
        #expect(throws: Never.self) { try MirrorSink(link: link, options: empty) }
        let foreign = try #require(throws: HelioError.self) {
            try MirrorSink(link: "rtsp://127.0.0.1:9/", options: empty)
        }
        #expect(foreign.remedy == .leaveOutSuite)
    }
}
