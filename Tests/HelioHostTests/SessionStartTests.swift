import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRTSP
import HelioRemote
import HelioRemoteWire
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

    @Test("a pointer that is larger than a message takes is scaled down, and one without pixels hides the pointer")
    func oddPointers() throws {
        var world = SessionWorld()
        let large = PixelSize(width: 1000, height: 10)
        world.host.host.handle(
            .cursorShape(
                CursorShape(
                    size: large, hotspotX: 2000, hotspotY: -3, rgba: Array(repeating: 200, count: large.area * 4 + 8))),
            now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.viewer.isPlaying)
        let shape = try #require(world.viewer.cursors.last)
        #expect(shape.size == PixelSize(width: 256, height: 2) && shape.hotspotX == 255 && shape.hotspotY == 0)
        world.host.host.handle(
            .cursorShape(CursorShape(size: PixelSize(width: 0, height: 9), hotspotX: 0, hotspotY: 0, rgba: [])),
            now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.viewer.cursors.last?.rgba == [0, 0, 0, 0])
        #expect(world.viewer.isPlaying && world.viewer.ended == nil)
    }

    @Test("an animated pointer's shapes are sent once, and named after that; each arrives")
    func animatedPointer() throws {
        var world = SessionWorld()
        try world.run(.milliseconds(100))
        let size = PixelSize(width: 48, height: 48)
        let shapes = (0..<30).map {
            CursorShape(size: size, hotspotX: 0, hotspotY: 0, rgba: Array(repeating: UInt8($0), count: size.area * 4))
        }
        var turns: [Int] = []
        for _ in 0..<3 {
            let before = world.host.bytesSent
            for shape in shapes {
                world.host.host.handle(.cursorShape(shape), now: world.now)
                try world.run(.milliseconds(33))
            }
            turns.append(world.host.bytesSent - before)
        }
        #expect(world.viewer.cursors == shapes + shapes + shapes)
        #expect(turns[0] > 30 * size.area * 4)
        // The bytes of 30 usernames, in requests of 150 bytes.
        #expect(turns[1] < 30 * 400 && turns[2] < 30 * 400, "\(turns)")
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
        // The viewer saw another certificate than the host's: proofs are bound to it.
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
        // A new ticket was issued, but a viewer that never played may not have received it.
        #expect(
            Self.outcome(of: comeBack, at: world.host.host, connection: 4, plays: true, now: world.now) == .admitted)
        // This viewer has played, so it has the new one: a ticket is valid once.
        #expect(Self.outcome(of: comeBack, at: world.host.host, connection: 5, now: world.now) == .refused(.wrongProof))
    }

    @Test("who guesses is put off, and the right link is let in all the same, from the same address too")
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
        #expect(Self.outcome(of: link, at: host, connection: 40, now: .zero) == .admitted)
    }

    @Test(
        "70 wrong proofs from 14 addresses, of one /64 or many, keep no right link out, and 5 of them cost a /64 its tries"
    )
    func noLockOut() throws {
        let host = SessionWorld().host.host
        var link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: Array(repeating: 1, count: 10))
        var outcomes: [Outcome] = []
        for attempt in 0..<70 {
            let address = attempt % 2 == 0 ? "2001:db8::\(attempt)" : "10.9.0.\(attempt % 7)"
            outcomes.append(
                Self.outcome(of: link, at: host, connection: UInt64(10 + attempt), from: address, now: .zero))
        }
        #expect(
            outcomes.count { $0 == .refused(.wrongProof) } == 5 + 35, "a whole /64 has 5 tries, each IPv4 address 5")
        #expect(outcomes.count { $0 == .refused(.tooManyTries) } == 30)
        link.secret = host.linkSecret.bytes
        #expect(Self.outcome(of: link, at: host, connection: 100, from: "2001:db8::9", now: .zero) == .admitted)
    }

    @Test("64 of those who were let in by a link may come back, the newest")
    func ticketsAreBounded() throws {
        var random = SeededGenerator(seed: 9)
        let crypto = OpenSSLCrypto()
        let fingerprint = [UInt8](repeating: 1, count: 32)
        let (mine, theirs) = ([UInt8](repeating: 2, count: 16), [UInt8](repeating: 3, count: 16))
        var desk = AdmissionDesk(fingerprint: fingerprint, crypto: crypto, random: &random)
        func judge(_ secret: SecretBytes, from address: String) throws -> AdmissionDesk.Verdict {
            let proof = try #require(
                LinkProof(secret: secret, binding: fingerprint, clientNonce: mine, hostNonce: theirs))
            return desk.judge(
                proof: try proof.proof(by: .viewer, crypto: crypto), clientNonce: mine, hostNonce: theirs,
                from: address, now: .zero, random: &random)
        }
        var tickets: [SecretBytes] = []
        for _ in 0..<65 {
            guard case .admitted(_, let ticket, nil) = try judge(desk.secret, from: "10.0.0.1") else {
                return #expect(Bool(false), "a right link was refused")
            }
            tickets.append(ticket)
        }
        guard case .refused(.wrongProof) = try judge(tickets[0], from: "10.0.0.1") else {
            return #expect(Bool(false), "the oldest of 65 tickets is good")
        }
        guard case .admitted = try judge(tickets[1], from: "10.0.0.1") else {
            return #expect(Bool(false), "the second of 65 tickets is not good")
        }
    }

    @Test("three wrong proofs end a connection")
    func proofsAreBounded() throws {
        let host = SessionWorld().host.host
        let id = ConnectionID(78)
        let mine = [UInt8](repeating: 2, count: 16)
        host.handle(.connected(id, address: "10.0.0.3"), now: .zero)
        var refusals = 0
        for sequence in 1...8 where host.knows(id) {
            var headers: RTSPHeaders = ["CSeq": "\(sequence)"]
            // Each attempt uses a new nonce, which is requested first.
            if sequence % 2 == 0 {
                let proof = String(repeating: "0\(sequence)", count: 32)
                headers.append("Authorization", "Heliograph nonce=\"\(Hexadecimal.text(mine))\", proof=\"\(proof)\"")
            }
            let request = RTSPRequest(.describe, uri: "rtsps://10.0.0.1:7236/screen", headers: headers)
            host.handle(.received(id, request.serialised()), now: .zero)
            while let output = host.poll() {
                if case .event(.refused(_, .wrongProof)) = output { refusals += 1 }
            }
        }
        #expect(refusals == 3 && !host.knows(id))
    }

    @Test("a stranger that asks on and on is cut off at 32 messages, and one that reads nothing pins 64 KiB at most")
    func strangersAreBounded() throws {
        let host = SessionWorld().host.host
        let id = ConnectionID(77)
        host.handle(.connected(id, address: "10.0.0.3"), now: .zero)
        let request = Array("OPTIONS * RTSP/1.0\r\n\r\n".utf8)
        host.handle(.received(id, Array((0..<700).map { _ in request }.joined())), now: .zero)
        var answers = 0
        var isClosed = false
        while let output = host.poll() {
            if case .send(id, _) = output { answers += 1 }
            if case .close(id) = output { isClosed = true }
        }
        #expect(answers == 32 && isClosed && !host.knows(id))
        #expect(host.statistics.drops["too-many-requests"] == 1)
    }

    @Test("an admitted viewer that reads nothing is put out by what waits for it, or by how long")
    func unread() throws {
        for takesLong in [false, true] {
            var world = SessionWorld()
            try world.run(.seconds(1))
            #expect(world.viewer.isPlaying)
            world.host.isStuck = true
            let monitors = (0..<64).map {
                MonitorEntry(
                    id: "\($0)", name: String(repeating: "m", count: 200), size: PixelSize(width: 16, height: 16),
                    isPrimary: false)
            }
            let most = (9 << 20) / MonitorsMessage.encode(monitors, selected: nil).count
            for _ in 0..<(takesLong ? 1 : most) {
                world.host.host.handle(.monitors(monitors, selected: nil), now: world.now)
            }
            try world.run(takesLong ? .seconds(11) : .milliseconds(100))
            #expect(world.host.host.statistics.drops["reads-nothing"] == 1)
            #expect(world.host.host.held["sessions"] == 0)
            #expect(
                world.host.events.contains {
                    if case .left(_, _, _, "reads nothing") = $0 { true } else { false }
                })
        }
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

    /// Runs a viewer's signalling against a host without a network, until it is admitted, rejected, or plays.
    static func outcome(
        of link: ShareLink, at host: SourceHost, connection: UInt64, plays: Bool = false,
        from address: String = "10.0.0.3",
        now: Instant
    ) -> Outcome {
        let id = ConnectionID(connection)
        let viewer = ViewerPeer(link, ReliablePipe(), seed: connection)
        host.handle(.connected(id, address: address), now: now)
        viewer.session.handle(.connected, now: now)
        var outcome = Outcome.nothing
        for _ in 0..<100 {
            var isBusy = false
            while let output = viewer.session.poll() {
                if case .send(let bytes) = output { host.handle(.received(id, bytes), now: now) }
                if case .event(.admitted) = output { outcome = .admitted }
                // A paired device gets no ticket, and continues all the same.
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
