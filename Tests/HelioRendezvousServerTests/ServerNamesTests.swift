import HelioCore
import Testing

@testable import HelioRendezvousServer

@Suite("What a rendezvous server is called")
struct ServerNamesTests {
    @Test("without names each is accepted, with the port that a client may leave out")
    func anyName() {
        let names = ServerNames([])
        #expect(names.authority(of: "Meet.example.org", isSecure: true) == "meet.example.org:443")
        #expect(names.authority(of: "meet.example.org", isSecure: false) == "meet.example.org:80")
        #expect(names.authority(of: "[2001:db8::1]:8443", isSecure: true) == "[2001:db8::1]:8443")
    }

    @Test("with names others are refused, except this machine's own")
    func ownNames() {
        let names = ServerNames(["Meet.example.org", "other.example:8443"])
        #expect(names.authority(of: "meet.example.org:9", isSecure: true) == "meet.example.org:9")
        #expect(names.authority(of: "other.example:8443", isSecure: true) == "other.example:8443")
        #expect(names.authority(of: "other.example", isSecure: true) == nil)
        #expect(names.authority(of: "evil.example", isSecure: true) == nil)
        #expect(names.authority(of: "192.0.2.1", isSecure: true) == nil)
        #expect(names.authority(of: "127.0.0.1:8443", isSecure: false) == "127.0.0.1:8443")
        #expect(names.authority(of: "localhost", isSecure: false) == "localhost:80")
    }

    @Test("what is no authority is refused", arguments: ["", ":", "a@b", "a:b", "a:0", "a/b", "[::1"])
    func malformed(field: String) {
        #expect(ServerNames([]).authority(of: field, isSecure: true) == nil)
    }
}

@Suite("Metrics in Prometheus' text format")
struct MetricsTextTests {
    @Test("each metric has its help, its type and its samples in order")
    func format() {
        var text = MetricsText()
        text.add("websockets", .gauge, "Open WebSockets.", 3)
        text.add("drops_total", "Drops.", byReason: ["b": 2, "a": 1])
        #expect(
            text.text == """
                # HELP heliograph_rendezvous_websockets Open WebSockets.
                # TYPE heliograph_rendezvous_websockets gauge
                heliograph_rendezvous_websockets 3
                # HELP heliograph_rendezvous_drops_total Drops.
                # TYPE heliograph_rendezvous_drops_total counter
                heliograph_rendezvous_drops_total{reason="a"} 1
                heliograph_rendezvous_drops_total{reason="b"} 2

                """)
    }
}
