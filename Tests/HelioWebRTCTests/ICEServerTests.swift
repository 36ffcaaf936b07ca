import HelioCore
import HelioTransport
import Testing

@testable import HelioWebRTC

@Suite("Servers of STUN and TURN")
struct ICEServerTests {
    @Test(
        "an address comes to its parts",
        arguments: [
            ("stun:stun.example", false, false, "stun.example", 3478),
            ("STUN:192.0.2.1:19302", false, false, "192.0.2.1", 19302),
            ("turn:relay.example", true, false, "relay.example", 3478),
            ("turn:relay.example:80?transport=tcp", true, true, "relay.example", 80),
            ("turn:[2001:db8::1]:3479?transport=UDP", true, false, "2001:db8::1", 3479),
            ("turn:[2001:db8::1]", true, false, "2001:db8::1", 3478),
        ])
    func parts(url: String, isTURN: Bool, isTCP: Bool, host: String, port: Int) throws {
        let address = try ICEServerAddress(url, username: "anna")
        #expect(address.isTURN == isTURN)
        #expect(address.isTCP == isTCP)
        #expect(address.host == host)
        #expect(Int(address.port) == port)
    }

    @Test(
        "what is no address is refused with what one looks like",
        arguments: [
            "", "relay.example", "turns:relay.example", "http://relay.example", "stun:", "stun:a:0", "stun:a:65536",
            "stun:a:b", "stun:[::1", "stun:[::1]x", "stun:a?transport=udp", "turn:a?transport=tls", "turn:a?x",
            "turn://a", "stun:user@a", "stun:a b",
        ])
    func refused(url: String) throws {
        let error = try #require(throws: HelioError.self) { try ICEServerAddress(url, username: "anna") }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("stun:HOST[:PORT]"))
    }

    @Test("TURN needs a name, and a password is told to nobody")
    func credentials() throws {
        let error = try #require(throws: HelioError.self) {
            try ICEServerAddress("turn:relay.example", username: "")
        }
        #expect(error.message.contains("user name"))
        let server = ICEServer("turn:relay.example", username: "anna", password: "secret")
        var dumped = ""
        dump(server, to: &dumped)
        #expect(!"\(server) \(String(reflecting: server)) \(dumped)".contains("secret"))
    }

    @Test("a name that stands for nothing is an error, and so are relays alone without one")
    func unusable() async throws {
        let endpoint = try await WebRTCEndpoint.open(.onLoopback)
        for (url, isAlone, code) in [
            ("stun:no-such-host.invalid", false, HelioError.Code.unreachable),
            ("stun:192.0.2.1", true, .invalidArgument),
        ] {
            var options = PeerConnection.Options()
            options.iceServers = [ICEServer(url)]
            options.usesRelaysOnly = isAlone
            do {
                _ = try await endpoint.connect(options)
                Issue.record("\(url) will not do")
            } catch {
                #expect(error.code == code)
            }
        }
        await endpoint.close()
    }
}

extension WebRTCEndpoint.Options {
    /// For peers on this machine.
    static var onLoopback: Self {
        var options = Self()
        options.addresses = ["127.0.0.1"]
        return options
    }
}
