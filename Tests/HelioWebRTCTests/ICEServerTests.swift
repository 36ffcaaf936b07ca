import HelioCore
import HelioPeer
import HelioTURN
import HelioTestLanes
import Testing

@testable import HelioPeerPort
@testable import HelioWebRTC

@Suite("Servers of STUN and TURN", .tags(.quiet))
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
            ("turns:relay.example", true, true, "relay.example", 5349),
            ("TURNS:relay.example:443?transport=tcp", true, true, "relay.example", 443),
            ("turns:relay.example?transport=udp", true, false, "relay.example", 5349),
            ("stuns:stun.example", false, true, "stun.example", 5349),
        ])
    func parts(url: String, isTURN: Bool, isTCP: Bool, host: String, port: Int) throws {
        let address = try ICEServerAddress(url, username: "anna")
        #expect(address.isTURN == isTURN)
        #expect(address.isTCP == isTCP)
        #expect(address.host == host)
        #expect(Int(address.port) == port)
        #expect(address.isSecure == (url.lowercased().hasPrefix("turns") || url.hasPrefix("stuns")))
        #expect(address.isSupported == (!address.isSecure || isTURN && isTCP))
    }

    @Test(
        "what is no address is refused with what one looks like",
        arguments: [
            "", "relay.example", "http://relay.example", "stun:", "stun:a:0", "stun:a:65536",
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

    @Test("what can be used is used, and of the rest it is told and counted why not")
    func partlyUsable() async throws {
        let list = try ICEServerList(
            [
                "stuns:192.0.2.1", "stun:no-such-host.invalid", "stun:192.0.2.2", "turns:192.0.2.3?transport=udp",
                "turns:192.0.2.4", "turn:[2001:db8::5]", "turn:no-such-host.invalid?transport=tcp",
            ].map { .init(url: $0, username: "anna", password: "secret") })
        var configuration = PeerConnectionConfiguration()
        let notes = await list.add(to: &configuration)
        // A TURN server that is reached by UDP is asked by STUN too.
        #expect(configuration.stunServers.map(\.ip) == [IPAddress("192.0.2.2"), IPAddress("2001:db8::5")])
        #expect(configuration.turnServers.map(\.address.ip) == [IPAddress("192.0.2.4"), IPAddress("2001:db8::5")])
        #expect(configuration.turnServers.map(\.tlsName) == ["192.0.2.4", nil])
        #expect(notes.count == 4 && !notes.joined().contains("secret"), "\(notes)")
        #expect(notes[0].contains("stuns:192.0.2.1") && notes[1].contains("no-such-host.invalid"))
        #expect(configuration.setAside[.unsupportedServer] == 2 && configuration.setAside[.unresolvedServer] == 2)

        let endpoint = try await WebRTCEndpoint.open(.onLoopback)
        var options = PeerConnection.Options()
        options.iceServers = [ICEServer("stun:no-such-host.invalid"), ICEServer("stuns:192.0.2.1")]
        let peer = try await endpoint.connect(options)
        let drops = await peer.statistics().drops
        #expect(drops["peer-unresolved-server"] == 1 && drops["peer-unsupported-server"] == 1)
        await endpoint.close()
        var told: [String] = []
        for await event in peer.events { if case .serverUnusable(let why) = event { told.append(why) } }
        #expect(told.count == 2)
    }

    @Test("a name is asked at its addresses of both families")
    func bothFamilies() async throws {
        // Debian's hosts file maps localhost to 127.0.0.1 and ::1.
        let found = await (try ICEServerAddress("stun:localhost:9", username: "")).resolve()
        #expect(found.contains { $0.ip == IPAddress("127.0.0.1") && $0.port == 9 })
        let many = (1...9).flatMap { [IPAddress.v4(UInt32($0)), .v6(high: 1, low: UInt64($0)), .v4(UInt32($0))] }
        #expect(
            ICEServerAddress.some(of: many) == [.v4(1), .v6(high: 1, low: 1), .v4(2), .v6(high: 1, low: 2)])
    }

    @Test("relays alone without one that can be used are an error")
    func unusable() async throws {
        let endpoint = try await WebRTCEndpoint.open(.onLoopback)
        for server in [ICEServer("stun:192.0.2.1"), ICEServer("turn:no-such-host.invalid", username: "anna")] {
            var options = PeerConnection.Options()
            options.iceServers = [server]
            options.usesRelaysOnly = true
            let error = await #expect(throws: HelioError.self) { _ = try await endpoint.connect(options) }
            #expect(error?.code == .invalidArgument)
        }
        await endpoint.close()
    }
}

extension WebRTCEndpoint.Options {
    /// Options for peers on this machine.
    static var onLoopback: Self {
        var options = Self()
        options.addresses = ["127.0.0.1"]
        return options
    }
}
