import HelioBroadcast
import HelioCore
import HelioProtection
import Testing

struct WHIPAddressTests {
    @Test(
        arguments: [
            ("whip://server.example/whip/endpoint", "http://server.example/whip/endpoint"),
            ("whips://server.example:8443/live?room=1", "https://server.example:8443/live?room=1"),
            ("WHIPS://[::1]/x", "https://[::1]/x"), ("https://server.example/whip", "https://server.example/whip"),
            ("http://127.0.0.1:8080/whip", "http://127.0.0.1:8080/whip"), ("whip://h", "http://h/"),
        ])
    func parse(text: String, endpoint: String) throws {
        #expect(WHIPAddress.isScheme(text))
        let address = try WHIPAddress(parsing: text)
        #expect(address.endpoint == HTTPTarget(parsing: endpoint))
        #expect(address.fingerprint == nil)
    }

    @Test("has a fingerprint where TLS is") func fingerprint() throws {
        let digits = String(repeating: "aB", count: 32)
        let pinned = try WHIPAddress(parsing: "whips://h/x#sha256=\(digits)")
        #expect(pinned.fingerprint == Array(repeating: 0xAB, count: 32))
        #expect(throws: HelioError.self) { try WHIPAddress(parsing: "whip://h/x#sha256=\(digits)") }
        #expect(throws: HelioError.self) { try WHIPAddress(parsing: "whips://h/x#sha256=12") }
        #expect(throws: HelioError.self) { try WHIPAddress(parsing: "whips://h/x#other") }
    }

    @Test(
        "says nothing of what can't be read",
        arguments: [
            "whip:/", "whips://", "whip://user:secret@h/x", "whip://h:99999/secret", "whip://h/secret x",
            "whips://h/x#secret", "rtmp://h/secret", "whip://h/" + String(repeating: "secret", count: 400),
        ])
    func refuse(text: String) throws {
        let error = try #require(throws: HelioError.self) { try WHIPAddress(parsing: text) }
        #expect(error.code == .invalidArgument)
        #expect(!error.message.contains("secret"))
    }

    @Test(arguments: ["rtmp://h/x", "srt://h:1", "whipsx://h", "whip:h", "https:/h", ""])
    func otherSchemes(text: String) { #expect(!WHIPAddress.isScheme(text)) }

    @Test("shows neither path nor token") func description() throws {
        let address = try WHIPAddress(parsing: "whips://h/secret?secret=1")
        let token = try StreamSecret(token: SecretBytes(Array("secret".utf8)))
        var dumped = ""
        dump(address, to: &dumped)
        dump(token, to: &dumped)
        for text in ["\(address)", String(reflecting: address), "\(token)", String(reflecting: token), dumped] {
            #expect(!text.contains("secret>>") && !text.replacing("<secret>", with: "").contains("secret"))
        }
        #expect("\(address)" == "whips://h:443")
    }

    @Test(arguments: ["", "two words", "line\n", "\u{E9}", String(repeating: "a", count: 4097)])
    func badToken(text: String) {
        #expect(throws: HelioError.self) { try StreamSecret(token: SecretBytes(Array(text.utf8))) }
    }
}
