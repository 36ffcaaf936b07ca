import HelioCore
import HelioProtection
import Testing

@testable import HelioBroadcast

struct RTMPAddressTests {
    private static func parse(_ text: String) throws(HelioError) -> RTMPAddress {
        try RTMPAddress(parsing: text, key: StreamSecret(key: SecretBytes(Array("k3y-654321".utf8))))
    }

    @Test(
        arguments: [
            ("rtmp://a.example/live", "a.example", 1935, "live", "rtmp://a.example/live"),
            ("RTMPS://a.example/app/one/", "a.example", 443, "app/one", "rtmps://a.example/app/one"),
            ("rtmp://127.0.0.1:19350/live", "127.0.0.1", 19350, "live", "rtmp://127.0.0.1:19350/live"),
            ("rtmps://[::1]:443/live2", "::1", 443, "live2", "rtmps://[::1]:443/live2"),
            ("rtmp://[fe80::1%eth0]/x", "fe80::1%eth0", 1935, "x", "rtmp://[fe80::1%eth0]/x"),
        ] as [(String, String, UInt16, String, String)])
    func good(text: String, host: String, port: UInt16, application: String, url: String) throws {
        let address = try Self.parse(text)
        #expect(address.host == host && address.port == port && address.application == application)
        #expect(address.connectURL == url)
        #expect(address.isSecure == (port == 443))
        #expect(address.fingerprint == nil)
    }

    @Test func fingerprint() throws {
        let digits = (0..<32).map { _ in "Ab" }
        for text in [digits.joined(), digits.joined(separator: ":")] {
            let address = try Self.parse("rtmps://a.example/live#sha256=\(text)")
            #expect(address.fingerprint == [UInt8](repeating: 0xAB, count: 32))
            #expect(address.connectURL == "rtmps://a.example/live")
        }
    }

    @Test(
        arguments: [
            "", "http://a/secret", "rtmp://", "rtmp:///secret", "rtmp://a", "rtmp://a/", "rtmp://a//",
            "rtmp://a:0/secret",
            "rtmp://a:65536/secret", "rtmp://a:/secret", "rtmp://a:+1/secret", "rtmp://[::1/secret", "rtmp://[]/secret",
            "rtmp://[::1]x/secret", "rtmp://user:secret@a/live", "rtmp://a/live?key=secret", "rtmp://a/li ve/secret",
            "rtmp://a/live#sha256=secret", "rtmps://a/live#secret", "rtmps://a/live#sha256=secret",
            "rtmp://\(String(repeating: "a", count: 256))/secret",
            "rtmp://a/\(String(repeating: "secret", count: 100))",
            "rtmp://a/\(String(repeating: "secret", count: 1000))", "rtmp://a/s\u{e9}cret/secret",
        ])
    func bad(text: String) {
        do throws(HelioError) {
            _ = try Self.parse(text)
            Issue.record("was taken")
        } catch {
            #expect(error.code == .invalidArgument)
            #expect(!error.message.contains("secret"))
        }
    }

    /// The path after the host is not shown either: it may contain a key.
    @Test func showsNoKey() throws {
        let address = try Self.parse("rtmp://a.example/live/live_123456")
        var dumped = ""
        dump(address, to: &dumped)
        #expect("\(address)" == "rtmp://a.example:1935")
        #expect(!String(reflecting: address).contains("123456") && !dumped.contains("123456"))
        #expect(!dumped.contains("654321") && !String(reflecting: address.key).contains("654321"))
    }

    @Test(arguments: ["", "a b", "a\n", "\u{e9}", String(repeating: "x", count: 1025)])
    func badKey(text: String) {
        #expect(throws: HelioError.self) { try StreamSecret(key: SecretBytes(Array(text.utf8))) }
    }
}
