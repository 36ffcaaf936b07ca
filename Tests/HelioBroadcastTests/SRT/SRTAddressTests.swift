import HelioBroadcast
import HelioCore
import HelioProtection
import Testing

struct SRTAddressTests {
    @Test func caller() throws {
        let address = try SRTAddress(parsing: "srt://media.example:9000")
        #expect(address.mode == .caller)
        #expect(address.host == "media.example")
        #expect(address.port == 9000)
        #expect(address.latency == .milliseconds(120))
        #expect(address.connectTimeout == .seconds(3))
        #expect(address.streamID == nil)
        #expect(address.passphrase == nil)
    }

    @Test func parameters() throws {
        let address = try SRTAddress(
            parsing: "SRT://[2001:db8::1]:9000?mode=caller&streamid=%23!::r=live,m=publish&passphrase=a%26bcdefghi"
                + "&pbkeylen=32&latency=250&conntimeo=1000&transtype=live&pkt_size=1316")
        #expect(address.host == "2001:db8::1")
        #expect(address.streamID == SecretBytes(Array("#!::r=live,m=publish".utf8)))
        #expect(address.passphrase == SecretBytes(Array("a&bcdefghi".utf8)))
        #expect(address.keyLength == .aes256)
        #expect(address.latency == .milliseconds(250))
        #expect(address.connectTimeout == .seconds(1))
    }

    @Test(arguments: ["srt://:9000?mode=listener", "srt://0.0.0.0:9000/?mode=listener"])
    func listener(text: String) throws {
        #expect(try SRTAddress(parsing: text).mode == .listener)
    }

    @Test(
        "a listener lets nobody watch who has not the passphrase, unless the person says so",
        arguments: [
            ("srt://:9000?mode=listener", false), ("srt://0.0.0.0:9000?mode=listener", false),
            ("srt://192.168.1.5:9000?mode=listener&streamid=secret", false), ("srt://[::]:9000?mode=listener", false),
            ("srt://127.0.0.1:9000?mode=listener&streamid=secret", false),
            ("srt://:9000?mode=listener&passphrase=correct-horse&streamid=secret", false),
            ("srt://:9000?mode=listener&passphrase=correct-horse", true), ("srt://:9000?mode=listener&open=yes", true),
            ("srt://127.0.0.1:9000?mode=listener", true), ("srt://[::1]:9000?mode=listener", true),
            ("srt://localhost:9000?mode=listener", true), ("srt://h:9000", true),
            ("srt://h:9000?streamid=secret", true),
        ])
    func listenersProtection(text: String, isFine: Bool) throws {
        let address = try SRTAddress(parsing: text)
        if isFine {
            try address.requireProtection()
        } else {
            #expect(throws: HelioError.self) { try address.requireProtection() }
        }
    }

    /// No displayed text contains the stream identifier or the passphrase.
    @Test func secrets() throws {
        let address = try SRTAddress(parsing: "srt://h:1?streamid=hush-hush&passphrase=never-tell-it")
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), dumped] {
            #expect(!text.contains("hush"))
            #expect(!text.contains("never"))
        }
        #expect("\(address)" == "srt://h:1")
    }

    static let unreadable = [
        "", "srt://", "srt://h", "srt://:9000", "srt://h:0", "srt://h:65536", "srt://h:9x", "srt://[::1", "srt://::1:9",
        "srt://[]:9", "rtmp://h:1", "srt://user-SECRET@h:1", "srt://h:1/SECRET", "srt://h:1#SECRET",
        "srt://h:1?SECRET", "srt://h:1?SECRET=1", "srt://h:1?mode=SECRET", "srt://h:1?mode=rendezvous",
        "srt://h:1?passphrase=SECRET", "srt://h:1?passphrase=" + String(repeating: "SECRET", count: 14),
        "srt://h:1?passphrase=SECRET%zz890", "srt://h:1?passphrase=", "srt://h:1?streamid=",
        "srt://h:1?streamid=" + String(repeating: "SECRET", count: 100), "srt://h:1?pbkeylen=20",
        "srt://h:1?latency=19", "srt://h:1?latency=10001", "srt://h:1?latency=120000", "srt://h:1?latency=-1",
        "srt://h:1?latency=", "srt://h:1?latency=99999999999999999999", "srt://h:1?conntimeo=249",
        "srt://h:1?conntimeo=60001", "srt://h:1?transtype=file", "srt://h:1?pkt_size=1456",
        "srt://h:1?latency=120&latency=120", "srt://h:1?open=yes", "srt://:1?mode=listener&open=SECRET",
        "srt://h:1?" + String(repeating: "x", count: 5000),
    ]

    @Test(arguments: unreadable)
    func refused(text: String) {
        let error = #expect(throws: HelioError.self) { try SRTAddress(parsing: text) }
        #expect(error?.code.name == "invalid-argument")
        #expect(error?.message.contains("SECRET") == false)
    }

    @Test func passphraseFromElsewhere() throws {
        var address = try SRTAddress(parsing: "srt://h:1")
        #expect(throws: HelioError.self) { try address.setPassphrase(SecretBytes([1, 2, 3])) }
        #expect(throws: HelioError.self) { try address.setStreamID(SecretBytes([])) }
        try address.setPassphrase(SecretBytes(Array(repeating: 0x41, count: 79)))
        try address.setStreamID(SecretBytes(Array(repeating: 0x41, count: 512)))
        #expect(address.passphrase?.count == 79)
        #expect(address.streamID?.count == 512)
    }
}
