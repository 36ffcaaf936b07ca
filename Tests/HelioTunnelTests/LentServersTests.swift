import HelioCore
import HelioHost
import HelioRendezvousWire
import HelioTURN
import HelioTestLanes
import HelioTunnel
import Testing

@Suite("Servers that a rendezvous lends for a browser's session", .tags(.quiet))
struct LentServersTests {
    @Test("The TURN servers that a rendezvous lends come with the connection")
    func lentServers() async throws {
        // The names of servers are resolved on threads of their own, so this takes a real loop.
        let (found, drops) = try await LentServers.found(
            [
                TURNEntry(url: "turn:192.0.2.9:3478", username: "1:a", credential: "c"),
                TURNEntry(url: "stun:192.0.2.8", username: "", credential: ""),
                TURNEntry(url: "nonsense", username: "", credential: ""),
            ], isNear: false)
        #expect(found.turn.map(\.username) == ["1:a"])
        #expect(found.turn.first?.address.port == 3478)
        // A TURN server that is reached by UDP is asked by STUN too.
        #expect(found.stun.count == 2 && found.stun.allSatisfy { $0.port == 3478 })
        #expect(drops.isEmpty)
    }

    @Test("A rendezvous on the Internet can't have packets sent to this machine's networks, one that is there can")
    func nearServers() async throws {
        let near = ["127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.1.1", "[::1]", "[fd00::1]", "[fe80::1]"].map {
            TURNEntry(url: "turn:\($0)?transport=tcp", username: "1:a", credential: "c")
        }
        let far = TURNEntry(url: "turn:192.0.2.9?transport=tcp", username: "1:a", credential: "c")
        let (fromAfar, drops) = try await LentServers.found(near + [far], isNear: false)
        #expect(fromAfar.turn.map(\.address.ip) == [.v4(0xC000_0209)] && fromAfar.stun.isEmpty)
        #expect(drops == ["private-server": 7])
        let (fromHere, none) = try await LentServers.found(near + [far], isNear: true)
        #expect(fromHere.turn.count == 8 && none.isEmpty)
    }
}
