import HelioCore
import Testing

@testable import HelioRendezvousPort

@Suite("Addresses of rendezvous servers")
struct RendezvousPlaceTests {
    @Test("name, port and path of an https:// address")
    func secure() throws {
        let plain = try RendezvousPlace(parsing: "https://Meet.example.org")
        #expect(plain.host == "meet.example.org" && plain.port == 443 && plain.isSecure)
        #expect(plain.authority == "meet.example.org:443" && plain.hostField == "meet.example.org")
        #expect(plain.path == "/device" && plain.fingerprint == nil)
        let whole = try RendezvousPlace(parsing: "HTTPS://meet.example.org:8443/rendezvous/")
        #expect(whole.authority == "meet.example.org:8443" && whole.hostField == whole.authority)
        #expect(whole.path == "/rendezvous/device")
        let address = try RendezvousPlace(parsing: "https://[2001:db8::1]")
        #expect(address.host == "2001:db8::1" && address.authority == "[2001:db8::1]:443")
        #expect(address.hostField == "[2001:db8::1]")
    }

    @Test("a fingerprint pins a certificate, and is shown again")
    func fingerprint() throws {
        let bytes = (0..<32).map { UInt8($0) }
        let text = "https://meet.example.org#" + Base32.encode(bytes).lowercased()
        let place = try RendezvousPlace(parsing: text)
        #expect(place.fingerprint == bytes && place.url == "https://meet.example.org")
        #expect(place.description == text)
        #expect(try RendezvousPlace(parsing: place.description) == place)
    }

    @Test("http:// is for this machine alone", arguments: ["localhost", "127.0.0.1", "127.1.2.3:80", "[::1]:8443"])
    func loopback(host: String) throws {
        #expect(try !RendezvousPlace(parsing: "http://" + host).isSecure)
    }

    @Test(
        "what is no address, or not a safe one, is refused",
        arguments: [
            "", "meet.example.org", "https://", "https://#", "https://user@meet.example.org", "https://a b",
            "https://meet.example.org:0", "https://meet.example.org:65536", "https://meet.example.org/?a=b",
            "https://meet.example.org#", "https://meet.example.org#abc", "http://meet.example.org",
            "http://192.168.1.2", "http://localhost#" + String(repeating: "0", count: 52), "wss://meet.example.org",
            "https://" + String(repeating: "a", count: 2000),
        ])
    func refused(text: String) {
        #expect(throws: HelioError.self) { try RendezvousPlace(parsing: text) }
    }
}
