import HelioCore
import HelioICE
import HelioMedia
import HelioOpenSSL
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSimulation
import Testing

/// Offers, answers and candidates in the wrong state, of the wrong kind, or in excess.
struct PeerNegotiationStateTests {
    private func connected(seed: UInt64) throws -> PeerWorld {
        let world = PeerWorld(seed: seed)
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        try world.begin()
        try #require(try world.run(for: .seconds(20)) { world.isConnected && world.b.channel("chat") != nil })
        return world
    }

    private func expectUse(_ world: PeerWorld) throws {
        for node in world.nodes {
            let channel = try #require(node.channel("chat"))
            try world.call(node) { try $0.send(.text([1]), on: channel, now: $1) }
        }
        #expect(try world.run(for: .seconds(10)) { world.nodes.allSatisfy { !$0.messages(on: "chat").isEmpty } })
    }

    // MARK: At the wrong time

    @Test func misuseChangesNothing() throws {
        let world = PeerWorld(seed: 81)
        let a = world.a.connection
        func refused(_ state: SignalingState, _ body: () throws -> Void) {
            #expect(throws: PeerConnectionError.negotiation(.wrongState(state))) { try body() }
        }
        refused(.stable) { _ = try a.makeAnswer(now: world.now) }
        refused(.stable) { try a.rollback(now: world.now) }
        #expect(a.localDescription == nil && a.state == .new)
        _ = try a.openChannel(.init(label: "chat"), now: world.now)
        world.gather()
        let offer = try world.call(world.a) { try $0.makeOffer(now: $1) }
        let text = a.localDescription
        refused(.haveLocalOffer) { _ = try a.makeOffer(now: world.now) }
        refused(.haveLocalOffer) { _ = try a.makeAnswer(now: world.now) }
        refused(.haveLocalOffer) { try a.takeOffer(offer, now: world.now) }
        try world.call(world.b) { try $0.takeOffer(offer, now: $1) }
        let b = world.b.connection
        refused(.haveRemoteOffer) { _ = try b.makeOffer(now: world.now) }
        refused(.haveRemoteOffer) { try b.takeAnswer(offer, now: world.now) }
        // Another offer is accepted only after a rollback.
        refused(.haveRemoteOffer) { try b.takeOffer(offer, now: world.now) }
        try world.call(world.b) { try $0.rollback(now: $1) }
        try world.call(world.b) { try $0.takeOffer(offer, now: $1) }
        let answer = try world.call(world.b) { try $0.makeAnswer(now: $1) }
        refused(.stable) { _ = try b.makeAnswer(now: world.now) }
        #expect(a.localDescription == text && a.signalingState == .haveLocalOffer)
        #expect(throws: PeerConnectionError.malformedDescription) { try a.takeAnswer("v=1", now: world.now) }
        try world.call(world.a) { try $0.takeAnswer(answer, now: $1) }
        refused(.stable) { try a.takeAnswer(answer, now: world.now) }
        #expect(try world.run(for: .seconds(5)) { world.isConnected && world.b.channel("chat") != nil })
        try expectUse(world)
    }

    @Test func afterTheEndNothingIsTaken() throws {
        let world = try connected(seed: 82)
        let a = world.a.connection
        let (offer, id) = (try #require(world.b.connection.localDescription), try #require(world.a.channel("chat")))
        let track = try world.call(world.a) { try $0.addReceiver(.video, now: $1) }
        world.call(world.a) { $0.close(now: $1) }
        func closed(_ body: () throws -> Void) { #expect(throws: PeerConnectionError.closed) { try body() } }
        closed { _ = try a.makeOffer(now: world.now) }
        closed { _ = try a.makeAnswer(now: world.now) }
        closed { try a.takeOffer(offer, now: world.now) }
        closed { try a.takeAnswer(offer, now: world.now) }
        closed { try a.rollback(now: world.now) }
        closed { try a.addCandidate(nil, now: world.now) }
        closed { _ = try a.addTrack(.video, now: world.now) }
        closed { _ = try a.addReceiver(.video, now: world.now) }
        closed { try a.stop(track, now: world.now) }
        closed { try a.setDirection(.inactive, of: track, now: world.now) }
        #expect(throws: DataChannelError.self) { _ = try a.openChannel(.init(label: "x"), now: world.now) }
        #expect(throws: DataChannelError.self) { try a.send(.text([1]), on: id, now: world.now) }
        a.closeChannel(id, now: world.now)
        a.decoderFailed(on: track, now: world.now)
        a.close(now: world.now)
        let before = world.a.sent.count
        world.give(world.a, .localCandidate(.host(world.a.host)))
        world.give(world.a, .localCandidatesEnded)
        world.give(world.a, .datagram([22, 1, 2], from: world.b.host, onLocal: world.a.host))
        world.call(world.a) { $0.tick(now: $1) }
        #expect(world.a.sent.count == before && a.deadline == nil && a.drops[.afterEnd] == 1)
    }

    // MARK: Two offers at once

    /// The polite end rolls back its offer; in the end both ends' changes are negotiated.
    @Test(arguments: [false, true])
    func glareLosesNothing(withRestart: Bool) throws {
        let world = try connected(seed: 83)
        let mine = try world.call(world.a) { try $0.addTrack(.video, stream: "a", now: $1) }
        let theirs = try world.call(world.b) { try $0.addTrack(.audio, stream: "b", now: $1) }
        try world.offer(from: world.a, restartsICE: withRestart)
        try world.offer(from: world.b, restartsICE: withRestart)
        try world.run(for: .seconds(2))
        // B's own track remains to be offered.
        #expect(world.nodes.allSatisfy { $0.agreements == 2 && $0.connection.signalingState == .stable })
        #expect(world.b.timesNeeded >= 2)
        try world.offer(from: world.b)
        try world.run(for: .seconds(2))
        for node in world.nodes { #expect(node.agreement?.media.map(\.kind) == [.video, .audio]) }
        world.a.sources[mine] = FrameSource(mine, start: world.now)
        world.call(world.b) { $0.send(audio: [7], timestamp: 0, on: theirs, now: $1) }
        try world.run(for: .seconds(1))
        #expect(world.b.frames.count > 25 && world.a.packets.map { Array($0.bytes[$0.payload]) } == [[7]])
        #expect(world.nodes.allSatisfy { $0.states == [.connecting, .connected] })
        try expectUse(world)
    }

    /// Both ends are polite and roll back: the previous agreement stays in effect.
    @Test func bothTakeTheirOffersBack() throws {
        let world = try connected(seed: 84)
        let before = world.nodes.map(\.connection.localDescription)
        for node in world.nodes { _ = try world.call(node) { try $0.makeOffer(restartsICE: true, now: $1) } }
        for node in world.nodes { try world.call(node) { try $0.rollback(now: $1) } }
        #expect(world.nodes.map(\.connection.localDescription) == before)
        try world.run(for: .seconds(60))
        #expect(world.nodes.allSatisfy { $0.states == [.connecting, .connected] && $0.agreements == 1 })
        try expectUse(world)
    }

    /// Glare of both ends' first offers, before any agreement.
    @Test func theFirstOffersCross() throws {
        let world = PeerWorld(seed: 85)
        for node in world.nodes { _ = try world.call(node) { try $0.openChannel(.init(label: "chat"), now: $1) } }
        world.gather()
        try world.offer(from: world.a)
        try world.offer(from: world.b)
        #expect(
            try world.run(for: .seconds(10)) {
                world.isConnected && world.nodes.allSatisfy { $0.opened.count == 2 }
            })
        #expect(world.nodes.allSatisfy { $0.agreements == 1 })
    }

    // MARK: Another association

    /// An offer or an answer with another certificate.
    @Test(arguments: [true, false])
    func anotherAssociationIsRefused(inOffer: Bool) throws {
        let world = try connected(seed: 86)
        func forged(_ text: String) throws -> String {
            let start = try #require(text.firstRange(of: "a=fingerprint:sha-256 ")).upperBound
            var forged = text
            forged.replaceSubrange(start..<text.index(after: start), with: text[start] == "0" ? "1" : "0")
            return forged
        }
        let before = world.nodes.map(\.connection.agreement)
        let offer = try world.call(world.a) { try $0.makeOffer(now: $1) }
        if inOffer {
            try world.call(world.b) { try $0.takeOffer(try forged(offer), now: $1) }
            #expect(throws: PeerConnectionError.newAssociation) {
                try world.call(world.b) { try $0.makeAnswer(now: $1) }
            }
            #expect(world.b.connection.signalingState == .haveRemoteOffer)
        } else {
            try world.call(world.b) { try $0.takeOffer(offer, now: $1) }
            let answer = try world.call(world.b) { try $0.makeAnswer(now: $1) }
            #expect(throws: PeerConnectionError.newAssociation) {
                try world.call(world.a) { try $0.takeAnswer(try forged(answer), now: $1) }
            }
            // The genuine answer is accepted afterwards.
            #expect(world.a.connection.signalingState == .haveLocalOffer)
            try world.call(world.a) { try $0.takeAnswer(answer, now: $1) }
        }
        #expect(PeerConnectionError.newAssociation.description.contains("needs a new connection"))
        if inOffer {
            for node in world.nodes { try world.call(node) { try $0.rollback(now: $1) } }
            #expect(world.nodes.map(\.connection.agreement) == before)
        }
        try world.run(for: .seconds(40))
        #expect(world.nodes.allSatisfy { $0.states == [.connecting, .connected] && $0.failures.isEmpty })
        try expectUse(world)
        try world.offer(from: world.b)
        try world.run(for: .seconds(1))
        #expect(world.nodes.allSatisfy { $0.agreements == (inOffer ? 2 : 3) })
    }

    // MARK: Names

    /// RFC 7022: a random CNAME of 96 bits for each connection, the same for all of its streams.
    @Test func theCNAMESaysNothing() throws {
        func names(seed: UInt64) throws -> Set<String> {
            let world = PeerWorld(seed: seed)
            for kind in [MediaKind.video, .audio] { try world.call(world.a) { _ = try $0.addTrack(kind, now: $1) } }
            let offer = try world.call(world.a) { try $0.makeOffer(now: $1) }
            let lines = offer.split(separator: "\r\n").filter { $0.hasPrefix("a=ssrc:") }
            #expect(lines.count >= 3)
            return Set(lines.compactMap { $0.split(separator: "cname:").last.map(String.init) })
        }
        let (first, second) = (try names(seed: 1), try names(seed: 2))
        #expect(first.count == 1 && second.count == 1 && first != second)
        #expect(first.union(second).allSatisfy { $0.utf8.count == 24 && $0.allSatisfy(\.isHexDigit) })
    }

    // MARK: Candidates

    private static func candidate(_ port: Int, _ more: String = "") -> String {
        "candidate:1 1 udp 2130706431 203.0.113.7 \(port) typ host\(more)"
    }

    @Test func moreCandidatesThanAreKept() throws {
        let world = PeerWorld(seed: 87)
        for port in 1...64 { try world.call(world.a) { try $0.addCandidate(Self.candidate(port), now: $1) } }
        #expect(throws: PeerConnectionError.tooManyCandidates) {
            try world.call(world.a) { try $0.addCandidate(Self.candidate(65), now: $1) }
        }
        #expect(throws: PeerConnectionError.tooManyCandidates) {
            try world.call(world.a) { try $0.addCandidate(nil, now: $1) }
        }
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        // The store of early candidates is full: the descriptions contain the genuine ones.
        world.trickles = false
        try world.begin()
        // The others are tried, too, beside the one that works.
        #expect(try world.run(for: .seconds(20)) { world.isConnected })
    }

    @Test(arguments: ["nonsense", "candidate:1 1 udp", "a=candidate:", String(repeating: "typ ", count: 500)])
    func whatIsNoCandidate(text: String) throws {
        let world = try connected(seed: 88)
        #expect(throws: PeerConnectionError.malformedCandidate) {
            try world.call(world.a) { try $0.addCandidate(text, now: $1) }
        }
        // A candidate of an unknown type is ignored.
        try world.call(world.a) { try $0.addCandidate("candidate:1 1 udp 1 192.0.2.1 1 typ quantum", now: $1) }
        try expectUse(world)
    }

    /// A candidate's `ufrag` extension names its generation.
    @Test func candidatesOfAnotherGenerationAreNotTried() throws {
        let world = try connected(seed: 89)
        let names = world.nodes.map { $0.connection.localUsernameFragment ?? "" }
        // Heliograph's own candidates have it.
        #expect(world.b.candidates.first??.hasSuffix(" ufrag \(names[1])") == true)
        #expect(world.b.connection.localDescription?.contains("typ host ufrag") == false)
        world.trickles = false
        try world.offer(from: world.a, restartsICE: true)
        try world.run(for: .milliseconds(1))
        // Signalled while A waits for the answer: a candidate of the previous generation, and one of the next.
        try world.call(world.a) { try $0.addCandidate(Self.candidate(4000, " ufrag \(names[1])"), now: $1) }
        #expect(world.a.connection.drops[.otherGeneration] == 0)
        #expect(try world.run(for: .seconds(5)) { world.nodes.allSatisfy { $0.agreements == 2 } })
        #expect(world.a.connection.drops[.otherGeneration] == 1)
        let now = try #require(world.b.connection.localUsernameFragment)
        #expect(now != names[1])
        // Late candidates after it; one without `ufrag` counts as current.
        try world.call(world.a) { try $0.addCandidate(Self.candidate(4001, " ufrag \(names[1])"), now: $1) }
        #expect(world.a.connection.drops[.otherGeneration] == 2)
        try world.call(world.a) { try $0.addCandidate(Self.candidate(4002, " ufrag \(now)"), now: $1) }
        try world.call(world.a) { try $0.addCandidate(Self.candidate(4003), now: $1) }
        #expect(world.a.connection.drops[.otherGeneration] == 2)
        #expect(try world.run(for: .seconds(20)) { world.isConnected })
        try expectUse(world)
    }

    @Test func candidatesMayComeBeforeTheirDescription() throws {
        let world = try connected(seed: 91)
        world.trickles = false
        let offer = try world.call(world.b) { try $0.makeOffer(restartsICE: true, now: $1) }
        let next = try #require(world.b.connection.localUsernameFragment)
        for text in [Self.candidate(4000, " ufrag \(next)"), Self.candidate(4001, " ufrag never")] {
            try world.call(world.a) { try $0.addCandidate(text, now: $1) }
        }
        #expect(world.a.connection.drops[.otherGeneration] == 0)
        world.signal(to: world.a, .offer(offer))
        #expect(try world.run(for: .seconds(5)) { world.nodes.allSatisfy { $0.agreements == 2 } })
        #expect(world.a.connection.drops[.otherGeneration] == 1)
        // Before a description, they don't use up the limit.
        for number in 0..<100 {
            try world.call(world.a) { try $0.addCandidate(Self.candidate(1 + number, " ufrag never"), now: $1) }
        }
        #expect(world.a.connection.drops[.otherGeneration] == 1 + 36)
        #expect(try world.run(for: .seconds(20)) { world.isConnected })
        try expectUse(world)
    }

    /// After a restart was rolled back, candidates of the old generation are valid again.
    @Test func candidatesOutliveARestartThatIsTakenBack() throws {
        let world = PeerWorld(seed: 90, .init(isBehindNAT: (true, true)))
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "chat"), now: $1) }
        world.signallingDelay = .milliseconds(5)
        try world.begin()
        // The answer was received, and B's candidates are still in transit.
        #expect(try world.run(for: .seconds(1)) { world.a.agreements == 1 })
        #expect(!world.isConnected)
        _ = try world.call(world.a) { try $0.makeOffer(restartsICE: true, now: $1) }
        try world.run(for: .milliseconds(300))
        #expect(!world.isConnected)
        try world.call(world.a) { try $0.rollback(now: $1) }
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
        #expect(world.a.connection.drops[.otherGeneration] == 0)
    }
}
