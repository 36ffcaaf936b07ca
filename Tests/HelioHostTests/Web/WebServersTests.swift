import HelioCore
import HelioPeer
import HelioProtection
import HelioTURN
import Testing

@testable import HelioHost

@Suite("Servers that are lent for one browser's session")
struct WebServersTests {
    private static func address(_ last: UInt32) -> TransportAddress {
        TransportAddress(.v4(0xC000_0200 + last), port: 3478, transport: .udp)
    }

    private static func server(_ id: Int, _ last: UInt32, tcp: Bool = false) -> TURNServer {
        TURNServer(
            id: .init(rawValue: id), address: address(last), isTCP: tcp, tlsName: tcp ? "turn.example" : nil,
            username: "user \(last)", password: SecretBytes([1]))
    }

    @Test("They come behind those of the settings, each with a number of its own, and as they are")
    func behind() {
        var configuration = PeerConnectionConfiguration()
        configuration.stunServers = [Self.address(1)]
        configuration.turnServers = [Self.server(3, 1)]
        let lent = WebServers(
            stun: [Self.address(1), Self.address(2)], turn: [Self.server(0, 2), Self.server(3, 3, tcp: true)])
        lent.add(to: &configuration)
        #expect(configuration.stunServers == [Self.address(1), Self.address(2)])
        #expect(configuration.turnServers.map(\.id.rawValue) == [3, 4, 5])
        #expect(configuration.turnServers.map(\.username) == ["user 1", "user 2", "user 3"])
        #expect(configuration.turnServers.last?.isTCP == true)
        #expect(configuration.turnServers.last?.tlsName == "turn.example")
    }

    @Test("No more are used than a connection may ask")
    func most() {
        var configuration = PeerConnectionConfiguration()
        configuration.turnServers = (0..<6).map { Self.server($0, UInt32($0)) }
        let many = (10..<20).map { Self.server($0, UInt32($0)) }
        WebServers(stun: many.map(\.address), turn: many).add(to: &configuration)
        #expect(configuration.turnServers.count == 8 && configuration.stunServers.count == 8)
        #expect(Set(configuration.turnServers.map(\.id)).count == 8)
        WebServers(turn: many).add(to: &configuration)
        #expect(configuration.turnServers.count == 8)
    }

    @Test("Without lent servers nothing changes")
    func none() {
        var configuration = PeerConnectionConfiguration()
        WebServers().add(to: &configuration)
        #expect(configuration.turnServers.isEmpty && configuration.stunServers.isEmpty)
    }
}
