import HelioCore
import HelioICE
import HelioSTUN
import HelioSimulation
import Testing

/// The data path: before nomination, when silent, when lost, and its statistics.
struct ICEPathTests {
    /// RFC 8445 section 12.1: data may be sent on any valid pair before nomination.
    @Test func dataGoesByWhatWorks() throws {
        let world = try ICEWorld(seed: 1) { a, _ in a.nominationDelay = .seconds(5) }
        // Nomination waits for a better candidate of B that never responds.
        let silent = "9 1 udp 2147483647 203.0.113.99 4000 typ host"
        world.start()
        world.signal(to: world.a, .remoteCandidate(try #require(CandidateAttribute(attributeValue: silent))))
        #expect(try world.run(for: .seconds(1)) { world.a.agent.dataPath != nil && world.b.agent.dataPath != nil })
        try world.run(for: .seconds(2))
        for node in [world.a, world.b] {
            #expect(node.agent.selectedPair == nil && node.agent.state == .checking)
            let path = try #require(node.agent.dataPath)
            #expect(path.base == node.host && path.remote == world.peer(of: node).host)
            #expect(node.agent.isProven(from: path.remote, onLocal: path.base))
        }
        #expect(try world.run(for: .seconds(10)) { world.isConnected })
        #expect(world.a.agent.dataPath == world.a.agent.selectedPair)
    }

    /// The peer sees this end at a peer-reflexive address: data is sent on the checked pair all the same (RFC 8445
    /// section 7.2.5.3.1), and the peer uses the address it learned.
    @Test(arguments: [true, false])
    func anAddressThatOnlyThePeerKnows(controllingIsHidden: Bool) throws {
        let (a, b): (ICENode.Place, ICENode.Place) = controllingIsHidden ? (.symmetric, .open) : (.open, .symmetric)
        let world = try ICEWorld(seed: 2, a, b, usesServer: false)
        world.start()
        #expect(try world.run(for: .seconds(10)) { world.isConnected })
        let (hidden, other) = controllingIsHidden ? (world.a, world.b) : (world.b, world.a)
        #expect(hidden.agent.selectedPair?.base == hidden.host && hidden.agent.selectedPair?.localKind == .host)
        #expect(other.agent.selectedPair?.remoteKind == .peerReflexive)
        #expect(other.agent.selectedPair?.remote.ip == hidden.nat?.outside)
        // A peer-reflexive address is not signalled as a candidate.
        #expect(hidden.candidates().map(\.kind) == [.host])
    }

    /// RFC 8863 section 4: all known pairs have failed at once, but the peer's checks may still arrive.
    @Test func thePeerMayStillComeByItself() throws {
        let world = try ICEWorld(seed: 3, .open, .portRestricted, usesServer: false) { a, b in
            (a.attempts, a.lastWait) = (2, 2)
            (b.attempts, b.lastWait) = (2, 2)
        }
        // B receives A's description half a minute late.
        world.signal(to: world.a, .remoteCredentials(world.b.agent.localCredentials, isLite: false))
        world.start(exchangesCredentials: false)
        try world.run(for: .seconds(30))
        // B's host candidate is behind a NAT and has failed long ago.
        #expect(world.a.agent.state == .checking)
        world.give(world.b, .remoteCredentials(world.a.agent.localCredentials, isLite: false))
        #expect(try world.run(for: .seconds(3)) { world.isConnected })
        #expect(world.a.states() == [.checking, .connected])
    }

    /// RFC 8445 section 11: if the peer sends no checks, a lite agent keeps the path open itself.
    @Test func aLiteAgentKeepsItsPathOpen() throws {
        let world = try ICEWorld(seed: 4, .portRestricted, .open) { $1.isLite = true }
        world.exchangeCredentials(isLiteB: true)
        world.start(exchangesCredentials: false)
        try #require(try world.run(for: .seconds(10)) { world.isConnected })
        try world.run(for: .seconds(60))
        func indications() -> [(at: Instant, to: TransportAddress)] {
            world.b.sent.filter { $0.bytes.span.bytes.uint16(at: 0) == 0x0011 }.map { ($0.at, $0.to) }
        }
        // A sends a check every 5 s, and gets a response.
        #expect(indications().isEmpty)
        let last = try #require(world.b.sent.last)
        world.a.link.partitions = [world.now..<world.now + .seconds(20)]
        try world.run(for: .seconds(20))
        #expect(indications().map(\.at) == [last.at + .seconds(15)] && indications().allSatisfy { $0.to == last.to })
        #expect(world.a.agent.drops[.indication] == 1)
        try world.run(for: .seconds(20))
        #expect(world.isConnected && indications().count == 1)
        // Without the peer's consent, nothing is sent.
        world.a.link.partitions = [world.now..<world.now + .seconds(1000)]
        try world.run(for: .seconds(120))
        #expect(world.b.agent.state == .failed && indications().count == 2 && world.b.agent.deadline == nil)
    }

    // MARK: Relays

    @Test func aRelayThatIsLost() throws {
        let world = try ICEWorld(seed: 5, ICENode.Place.symmetric.withRelay, .symmetric)
        world.start()
        try #require(try world.run(for: .seconds(30)) { world.isConnected })
        let relay = try #require(world.a.relay)
        #expect(world.a.agent.selectedPair?.base == relay)
        world.give(world.a, .relayLost(relay))
        #expect(world.a.agent.state == .disconnected)
        #expect(!world.a.agent.localCandidates.contains { $0.kind == .relayed })
        try world.run(for: .seconds(40))
        #expect(world.a.agent.state == .failed)
        // A restart gathers the remaining candidates.
        let count = world.a.candidates().count
        world.give(world.a, .restart)
        #expect(world.a.candidates()[count...].allSatisfy { $0.kind == .host } && world.a.candidates().count > count)
    }

    /// The old path is known to be lost; a restart finds another before the old consent has expired.
    @Test func aRestartTakesOverFromALostRelay() throws {
        let world = try ICEWorld(seed: 6, ICENode.Place.open.withRelay, .open, usesServer: false) { a, b in
            (a.detourDelay, b.detourDelay) = (.zero, .zero)
        }
        // Only the relayed candidate is known at first.
        let relay = try #require(world.a.relay)
        world.exchangeCredentials()
        world.give(world.a, .localCandidate(.relayed(relay, mapped: nil, server: relay.ip)))
        world.give(world.b, .localCandidate(.host(world.b.host)))
        try #require(try world.run(for: .seconds(10)) { world.isConnected })
        world.give(world.a, .localCandidate(.host(world.a.host)))
        try world.run(for: .seconds(1))
        #expect(world.a.agent.selectedPair?.base == relay)
        world.give(world.a, .relayLost(relay))
        #expect(world.a.agent.state == .disconnected)
        for node in [world.a, world.b] { world.give(node, .restart) }
        world.exchangeCredentials()
        #expect(try world.run(for: .seconds(10)) { world.isConnected })
        #expect(world.a.agent.selectedPair?.base == world.a.host)
        #expect(!world.a.states().contains(.failed))
    }

    /// More candidates may follow an announced end, for example of a repeated relay allocation: the end is then
    /// signalled again.
    @Test func moreCandidatesMayComeAfterTheEnd() throws {
        let world = try ICEWorld(seed: 7)
        world.start()
        try #require(try world.run(for: .seconds(10)) { world.isConnected && world.a.agent.hasGathered })
        world.give(world.a, .localCandidatesPending)
        #expect(world.a.agent.hasGathered)
        world.give(world.a, .restart)
        try world.run(for: .seconds(5))
        #expect(!world.a.agent.hasGathered)
        let relay = TransportAddress(.v4(0xCB00_7101), port: 49_000)
        world.give(world.a, .localCandidate(.relayed(relay, mapped: nil, server: relay.ip)))
        world.give(world.a, .localCandidatesEnded)
        #expect(world.a.agent.hasGathered)
        let last = world.a.events.suffix(2).map(\.event)
        #expect(last.last == .gathered)
        if case .candidate(let candidate)? = last.first { #expect(candidate.kind == .relayed) } else { Issue.record() }
    }

    // MARK: Round trips

    @Test func roundTripsAreMeasured() throws {
        let world = try ICEWorld(seed: 8, delay: .milliseconds(70))
        #expect(world.a.agent.roundTrip == nil)
        world.start()
        try #require(try world.run(for: .seconds(10)) { world.isConnected })
        for node in [world.a, world.b] {
            let time = try #require(node.agent.roundTrip)
            #expect((.milliseconds(140)...(.milliseconds(146))).contains(time))
        }
        world.a.link.conditions.delay = .milliseconds(10)
        try world.run(for: .seconds(7))
        for node in [world.a, world.b] {
            let time = try #require(node.agent.roundTrip)
            #expect((.milliseconds(80)...(.milliseconds(86))).contains(time))
        }
    }

    /// The response to a retransmitted check doesn't show which transmission it belongs to, so it gives no round trip.
    @Test func anAnswerToARepeatedCheckTellsNothing() throws {
        let world = try ICEWorld(seed: 9, usesServer: false)
        world.a.link.partitions = [.zero ..< .zero + .milliseconds(400)]
        world.b.link.partitions = [.zero ..< .zero + .milliseconds(400)]
        world.start()
        try #require(try world.run(for: .seconds(10)) { world.a.agent.dataPath != nil })
        if let time = world.a.agent.roundTrip { #expect(time < .milliseconds(100)) }
        try world.run(for: .seconds(10))
        let time = try #require(world.a.agent.roundTrip)
        #expect(time < .milliseconds(40))
    }
}
