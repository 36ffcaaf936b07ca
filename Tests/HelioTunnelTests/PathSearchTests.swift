import HelioCore
import NIOCore
import NIOEmbedded
import Testing

@testable import HelioTunnel

@Suite("The search for a better path than a relay's")
struct PathSearchTests {
    private static let host = "candidate:1 1 udp 2130706431 192.168.1.20 5000 typ host"
    private static let reflexive = "candidate:2 1 udp 1694498815 203.0.113.2 5000 typ srflx raddr 0.0.0.0 rport 0"
    private static let relayed = "candidate:3 1 udp 16777215 192.0.2.11 6000 typ relay raddr 0.0.0.0 rport 0"

    /// A search on virtual time, of which each restart has the same candidates.
    private final class Stage {
        let loop = EmbeddedEventLoop()
        private(set) var search: PathSearch!
        private(set) var restarts = 0
        var local: [String] = []
        var remote: [String] = []

        init(_ configure: (inout TunnelSettings) -> Void = { _ in }) {
            var settings = TunnelSettings()
            configure(&settings)
            search = PathSearch(settings, on: loop) { [unowned self] in
                restarts += 1
                tell()
            }
        }

        func tell() {
            for text in local { search.note(local: text) }
            for text in remote { search.note(remote: text) }
        }

        /// The number of restarts within a time.
        func restarts(in time: TimeAmount) -> Int {
            let before = restarts
            loop.advanceTime(by: time)
            return restarts - before
        }
    }

    @Test("goes on every five seconds without a path, and ends with a direct one")
    func noPath() {
        let stage = Stage()
        stage.search.begin()
        #expect(stage.restarts(in: .milliseconds(4999)) == 0)
        #expect(stage.restarts(in: .milliseconds(1)) == 1)
        #expect(stage.restarts(in: .seconds(60)) == 12)
        stage.search.changed(isRelayed: false)
        #expect(stage.restarts(in: .hours(1)) == 0)
    }

    @Test("begins a second after a path was lost")
    func lost() {
        let stage = Stage()
        stage.search.changed(isRelayed: false)
        stage.search.begin()
        #expect(stage.restarts(in: .minutes(1)) == 0)
        stage.search.changed(isRelayed: nil)
        #expect(stage.restarts(in: .seconds(1)) == 1)
        // What is told again changes nothing.
        stage.search.changed(isRelayed: nil)
        #expect(stage.restarts(in: .seconds(10)) == 2)
    }

    @Test("is frequent on a relay while an end has not reached a STUN server", arguments: [true, false])
    func blocked(isLocal: Bool) {
        let stage = Stage()
        stage.local = [Self.host, Self.relayed] + (isLocal ? [] : [Self.reflexive])
        stage.remote = [Self.host, Self.relayed] + (isLocal ? [Self.reflexive] : [])
        stage.tell()
        stage.search.begin()
        stage.search.changed(isRelayed: true)
        #expect(stage.restarts(in: .seconds(60)) == 12)
    }

    @Test("takes place at once where a direct path was lost, as no NAT forbids that", arguments: [true, false])
    func lostForRelay(isAtOnce: Bool) {
        let stage = Stage()
        stage.local = [Self.host, Self.reflexive, Self.relayed]
        stage.remote = stage.local
        stage.tell()
        stage.search.begin()
        stage.search.changed(isRelayed: false)
        // From now on UDP is blocked at this end.
        stage.local = [Self.host, Self.relayed]
        if !isAtOnce { stage.search.changed(isRelayed: nil) }
        stage.search.changed(isRelayed: true)
        #expect(stage.restarts(in: .seconds(60)) == 12)
    }

    @Test("is rare where both ends have, or where one offers its relays alone", arguments: [true, false])
    func forbidden(isRelayAlone: Bool) {
        let stage = Stage()
        stage.local = [Self.host, Self.reflexive, Self.relayed]
        stage.remote = isRelayAlone ? [Self.relayed] : stage.local
        stage.tell()
        stage.search.begin()
        stage.search.changed(isRelayed: true)
        // The first one may have met the end of a block.
        #expect(stage.restarts(in: .seconds(5)) == 1)
        #expect(stage.restarts(in: .seconds(59)) == 0)
        #expect(stage.restarts(in: .seconds(1)) == 1)
        #expect(stage.restarts(in: .minutes(10)) == 10)
        // Another network may be blocked.
        stage.local = [Self.host]
        #expect(stage.restarts(in: .minutes(1)) == 1)
        #expect(stage.restarts(in: .minutes(1)) == 12)
    }

    @Test("does not take place on a relay where this end wants relays alone, nor after the end")
    func never() {
        let stage = Stage { $0.usesRelaysOnly = true }
        stage.search.begin()
        #expect(stage.restarts(in: .seconds(5)) == 1)
        stage.search.changed(isRelayed: true)
        #expect(stage.restarts(in: .hours(1)) == 0)
        let other = Stage()
        other.search.begin()
        other.search.stop()
        other.search.changed(isRelayed: true)
        #expect(other.restarts(in: .hours(1)) == 0)
    }
}
