import HelioCore
import HelioProtection
import HelioRTSPClient
import Testing

@Suite("rtsp:// addresses")
struct RTSPAddressTests {
    @Test(
        "are read",
        arguments: [
            ("rtsp://h/a", "h", 554, "rtsp://h/a"), ("RTSP://h:8554", "h", 8554, "rtsp://h:8554"),
            ("rtsp://h/a?b=c#d", "h", 554, "rtsp://h/a?b=c"), ("rtsp://h?x", "h", 554, "rtsp://h?x"),
            ("rtsp://[fe80::1]:99/x", "fe80::1", 99, "rtsp://[fe80::1]:99/x"),
            ("rtsp://[::1]/x", "::1", 554, "rtsp://[::1]/x"), ("RTSPS://u:p@h/a", "h", 322, "rtsps://h/a"),
            ("rtsps://h:554/a", "h", 554, "rtsps://h:554/a"),
            ("rtsp://u:p@h:1/a@b", "h", 1, "rtsp://h:1/a@b"), ("rtsp://u@h/", "h", 554, "rtsp://h/"),
            ("rtsp://u:p@ss@h/", "h", 554, "rtsp://h/"), ("rtsp://h/ä b", "h", 554, "rtsp://h/%C3%A4%20b"),
        ])
    func good(text: String, host: String, port: UInt16, uri: String) throws {
        let address = try RTSPAddress(parsing: text)
        #expect(address.host == host && address.port == port && address.uri == uri)
        #expect(address.description == uri && "\(address)" == uri)
    }

    @Test("of rtsps:// hold the certificate's fingerprint, where there is one")
    func fingerprint() throws {
        let bytes = (0..<32).map { UInt8($0 * 7) }
        let pairs = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        for text in [pairs.joined(), pairs.joined(separator: ":").uppercased()] {
            let address = try RTSPAddress(parsing: "rtsps://u:p@h/x#sha256=\(text)")
            #expect(address.isSecure && address.fingerprint == bytes && address.uri == "rtsps://h/x")
        }
        let none = try RTSPAddress(parsing: "rtsps://h/x")
        #expect(none.isSecure && none.fingerprint == nil)
        for wrong in ["x", "sha256=", "sha256=\(pairs.dropLast().joined())", "sha256=zz\(pairs.dropFirst().joined())"] {
            #expect(throws: HelioError.self) { try RTSPAddress(parsing: "rtsps://h/x#\(wrong)") }
        }
    }

    @Test("hold user and password, which no description shows")
    func credentials() throws {
        let address = try RTSPAddress(parsing: "rtsp://an%6Ea:p%40ss%3a@h/x")
        #expect(address.credentials?.user == "anna")
        #expect(address.credentials?.password.bytes == Array("p@ss:".utf8))
        #expect(try RTSPAddress(parsing: "rtsp://anna@h/x").credentials?.password.bytes == [])
        #expect(try RTSPAddress(parsing: "rtsp://h/x").credentials == nil)
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("p@ss") && !dumped.contains("112"))
    }

    @Test(
        "that can't be read are refused without being repeated",
        arguments: [
            "rtsp://", "rtsp:///x", "rtsp://h:0/", "rtsp://h:65536/", "rtsp://h:x/", "rtsp://h:/", "rtsp://h:+5/",
            "rtsp://[::1/secret", "rtsp://[::1]x/secret", "rtsp://u:secret%zz@h/", "rtsp://u:secret%4@h/",
            "rtsp://u%ff:secret@h/", "rtsp://u%0a:secret@h/", "rtsp://se cret/", "http://h/", "",
        ])
    func bad(text: String) {
        #expect {
            try RTSPAddress(parsing: text)
        } throws: { error in
            guard let error = error as? HelioError else { return false }
            return error.code == .invalidArgument && !error.message.contains("secret")
        }
    }
}
