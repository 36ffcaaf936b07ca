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
        let found = try await LentServers.found(
            [
                TURNEntry(url: "turn:192.0.2.9:3478", username: "1:a", credential: "c"),
                TURNEntry(url: "stun:192.0.2.8", username: "", credential: ""),
                TURNEntry(url: "nonsense", username: "", credential: ""),
            ])
        #expect(found.turn.map(\.username) == ["1:a"])
        #expect(found.turn.first?.address.port == 3478)
        // A TURN server that is reached by UDP is asked by STUN too.
        #expect(found.stun.count == 2 && found.stun.allSatisfy { $0.port == 3478 })
    }
}
