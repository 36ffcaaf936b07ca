import HelioControl
import HelioCore
import HelioProtection
import HelioSession
import HelioSimulation
import Testing

@Suite("Start of a session: who is let in")
struct SessionStartTests {
    @Test("the right link plays within a tenth of a second, and the pointer's shape comes along")
    func plays() throws {
        var world = SessionWorld()
        let shape = CursorShape(
            size: PixelSize(width: 2, height: 1), hotspotX: 1, hotspotY: 0, rgba: [1, 2, 3, 4, 5, 6, 7, 8])
        world.host.host.handle(.cursorShape(shape), now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.viewer.isPlaying)
        #expect(world.viewer.frames >= 3)
        #expect(world.viewer.broken == 0)
        #expect(world.viewer.cursors == [shape])
    }

    @Test("a wrong secret gets no media packet, and is told")
    func wrongSecret() throws {
        var world = SessionWorld(link: { $0.secret[0] ^= 1 })
        try world.run(.seconds(3))
        #expect(!world.viewer.isPlaying)
        #expect(world.viewer.ended?.code == .refused)
        #expect(world.stepper.network.aToB.counts.sent == 0)
        #expect(world.host.host.statistics.drops["refused-wrong-proof"] == 1)
    }

    @Test("a host that does not know the secret is refused by the viewer: a man in the middle has another key")
    func manInTheMiddle() throws {
        // The viewer saw another certificate than the host's own: proofs are bound to it.
        var world = SessionWorld(fingerprint: 8)
        try world.run(.seconds(3))
        #expect(!world.viewer.isPlaying)
        #expect(world.viewer.ended?.code == .refused)
        #expect(world.stepper.network.aToB.counts.sent == 0)
    }

    @Test("a link lets in once; the ticket that came with it lets in again")
    func reusedLink() throws {
        var world = SessionWorld()
        let link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: world.host.host.linkSecret.bytes)
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        #expect(world.host.host.linkSecret.bytes != link.secret)
        let ticket = try #require(world.viewer.ticket)

        #expect(Self.outcome(of: link, at: world.host.host, connection: 2, now: world.now) == .refused(.linkUsed))
        var comeBack = link
        comeBack.secret = ticket
        #expect(Self.outcome(of: comeBack, at: world.host.host, connection: 3, now: world.now) == .admitted)
        // A new one came with it, but who never played may not have got that.
        #expect(
            Self.outcome(of: comeBack, at: world.host.host, connection: 4, plays: true, now: world.now) == .admitted)
        // Who did play has: a ticket, too, serves once.
        #expect(Self.outcome(of: comeBack, at: world.host.host, connection: 5, now: world.now) == .refused(.wrongProof))
    }

    @Test("guessing is slowed down, and does not keep the right link out for good")
    func guessing() throws {
        let world = SessionWorld()
        let host = world.host.host
        var link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: Array(repeating: 1, count: 10))
        var outcomes: [Outcome] = []
        for attempt in 0..<10 {
            link.secret[1] = UInt8(attempt)
            outcomes.append(Self.outcome(of: link, at: host, connection: UInt64(10 + attempt), now: .zero))
        }
        #expect(outcomes.prefix(5).allSatisfy { $0 == .refused(.wrongProof) })
        #expect(outcomes.suffix(5).allSatisfy { $0 == .refused(.tooManyTries) })
        link.secret = host.linkSecret.bytes
        #expect(Self.outcome(of: link, at: host, connection: 40, now: .zero) == .refused(.tooManyTries))
        #expect(Self.outcome(of: link, at: host, connection: 41, now: .zero + .seconds(30)) == .admitted)
    }

    @Test("whoever never speaks is put out", arguments: [0, 1])
    func silentConnection(bytes: Int) throws {
        let world = SessionWorld()
        let host = world.host.host
        let id = ConnectionID(99)
        host.handle(.connected(id, address: "10.0.0.9"), now: .zero)
        if bytes > 0 { host.handle(.received(id, Array("OPTIONS".utf8)), now: .zero) }
        host.tick(now: .zero + .seconds(19))
        #expect(host.knows(id))
        host.tick(now: .zero + .seconds(21))
        #expect(!host.knows(id))
    }

    @Test("connections that prove nothing can't keep a viewer out")
    func strangersMakeRoom() throws {
        let world = SessionWorld()
        let host = world.host.host
        for number in UInt64(0)..<500 {
            host.handle(.connected(ConnectionID(1000 + number), address: "10.0.0.9"), now: .zero)
            while host.poll() != nil {}
        }
        let link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: host.linkSecret.bytes)
        #expect(Self.outcome(of: link, at: host, connection: 5, now: .zero) == .admitted)
        #expect(host.statistics.drops["too-many-viewers", default: 0] >= 480)
    }

    enum Outcome: Equatable {
        case admitted
        case refused(AdmissionDesk.Refusal)
        case nothing
    }

    /// Runs a viewer's signalling against a host without a network, until it is let in or not, or plays.
    static func outcome(
        of link: ShareLink, at host: SourceHost, connection: UInt64, plays: Bool = false, now: Instant
    ) -> Outcome {
        let id = ConnectionID(connection)
        let viewer = ViewerPeer(link, ReliablePipe(), seed: connection)
        host.handle(.connected(id, address: "10.0.0.3"), now: now)
        viewer.session.handle(.connected, now: now)
        var outcome = Outcome.nothing
        for _ in 0..<100 {
            var isBusy = false
            while let output = viewer.session.poll() {
                if case .send(let bytes) = output { host.handle(.received(id, bytes), now: now) }
                if case .event(.admitted) = output { outcome = .admitted }
                // A paired device gets no ticket, and goes on all the same.
                if case .openPath = output {
                    outcome = .admitted
                    if plays { viewer.session.handle(.pathOpen, now: now) }
                }
                isBusy = true
            }
            while let output = host.poll() {
                switch output {
                case .send(id, let bytes): viewer.session.handle(.received(bytes), now: now)
                case .event(.refused(_, let refusal)): outcome = .refused(refusal)
                default: break
                }
                isBusy = true
            }
            if !isBusy { break }
        }
        host.handle(.disconnected(id), now: now)
        return outcome
    }
}
