import HelioCore
import HelioICE
import HelioSTUN
import Testing

/// Nomination, and a controlled agent's handling of a peer that nominates another pair.
struct ICENominationTests {
    private let host = TransportAddress(.v4(0xC633_6401), port: 5000)
    /// The peer's addresses; `first` has the highest priority.
    private let first = TransportAddress(.v4(0xC633_6402), port: 6000)
    private let second = TransportAddress(.v4(0xC633_6403), port: 6000)
    private let third = TransportAddress(.v4(0xC633_6404), port: 6000)

    private func bench(isControlling: Bool = false, isLite: Bool = false) throws -> ICEBench {
        var settings = ICESettings(isControlling: isControlling)
        settings.isLite = isLite
        let bench = try ICEBench(settings)
        bench.give(.localCandidate(.host(host)))
        bench.give(.remoteCredentials(ICEBench.credentials, isLite: false))
        for (index, remote) in [first, second, third].enumerated() {
            bench.give(
                .remoteCandidate(
                    CandidateAttribute(
                        foundation: "\(index)",
                        priority: CandidateKind.host.priority(localPreference: 65_535 - UInt16(index)),
                        host: .ip(remote.ip), port: remote.port, kind: .host)))
        }
        return bench
    }

    private func ask(
        _ bench: ICEBench, _ number: UInt64, from remote: TransportAddress, nominates: Bool = false
    ) throws {
        bench.give(.datagram(try bench.check(number, usesCandidate: nominates), from: remote, onLocal: host))
    }

    private func answer(_ bench: ICEBench, by remote: TransportAddress) throws {
        bench.give(.datagram(try ICEBench.answer(bench.lastCheck(to: remote), host), from: remote, onLocal: host))
    }

    /// An agent with three valid pairs, the best of which the peer has nominated.
    private func settled() throws -> ICEBench {
        let bench = try bench()
        for remote in [third, second, first] {
            try ask(bench, UInt64(remote.ip.bytes[3]), from: remote)
            bench.run(for: .milliseconds(200))
            try answer(bench, by: remote)
        }
        try ask(bench, 100, from: first, nominates: true)
        try #require(bench.agent.selectedPair?.remote == first)
        return bench
    }

    /// libwebrtc sends USE-CANDIDATE on the pair in use and on better ones, and never signals that a pair is no longer
    /// in use.
    @Test func aRenewedNominationIsFollowedOnceTheOldOneIsNotAskedFor() throws {
        let bench = try settled()
        try ask(bench, 101, from: second, nominates: true)
        // The check could be a late one of an aggressive peer.
        #expect(bench.agent.selectedPair?.remote == first)
        bench.run(for: .milliseconds(500))
        try ask(bench, 102, from: first)
        try ask(bench, 103, from: second, nominates: true)
        #expect(bench.agent.selectedPair?.remote == second)
        // Delayed copies of earlier checks arrive.
        for (number, remote, nominates) in [(100, first, true), (102, first, false), (101, second, true)] {
            try ask(bench, UInt64(number), from: remote, nominates: nominates)
            #expect(bench.agent.selectedPair?.remote == second)
        }
        // Back to the first pair, then to another.
        try ask(bench, 104, from: second)
        try ask(bench, 105, from: first, nominates: true)
        #expect(bench.agent.selectedPair?.remote == first)
        bench.run(for: .milliseconds(1))
        try ask(bench, 106, from: first)
        try ask(bench, 107, from: third, nominates: true)
        #expect(bench.agent.selectedPair?.remote == third)
    }

    /// Checks on the old pair have stopped.
    @Test func aRenewedNominationIsFollowedWhereTheOldPairIsQuiet() throws {
        let bench = try settled()
        // Media still arrive on it.
        for _ in 0..<29 {
            bench.run(for: .milliseconds(100))
            bench.agent.pathHeard(now: bench.now)
        }
        try ask(bench, 101, from: second, nominates: true)
        #expect(bench.agent.selectedPair?.remote == first)
        bench.run(for: .milliseconds(100))
        try ask(bench, 102, from: second, nominates: true)
        #expect(bench.agent.selectedPair?.remote == second)
    }

    /// Backups are checked for ever; an early nomination by an aggressive peer must not count later.
    @Test func anOldNominationIsForgotten() throws {
        let bench = try bench()
        for remote in [third, second, first] {
            try ask(bench, UInt64(remote.ip.bytes[3]), from: remote, nominates: true)
            bench.run(for: .milliseconds(200))
            try answer(bench, by: remote)
        }
        try #require(bench.agent.selectedPair?.remote == first)
        for number in 100..<160 as Range<UInt64> {
            bench.run(for: .milliseconds(500))
            try ask(bench, number, from: first)
            for remote in [third, second, first] { try answer(bench, by: remote) }
            #expect(bench.agent.selectedPair?.remote == first)
        }
        #expect(bench.events.count { if case .selected = $0 { true } else { false } } == 3)
    }

    /// The full peer of a lite agent nominates several pairs in turn: the last one counts.
    @Test func aLiteAgentFollowsThereAndBack() throws {
        let bench = try bench(isLite: true)
        for (number, remote) in [(1, first), (2, second), (3, first), (4, third), (5, second)] {
            try ask(bench, UInt64(number), from: remote, nominates: true)
            #expect(bench.agent.selectedPair?.remote == remote)
            bench.run(for: .milliseconds(20))
        }
        try ask(bench, 3, from: first, nominates: true)
        try ask(bench, 6, from: first)
        #expect(bench.agent.selectedPair?.remote == second)
        bench.run(for: .seconds(29))
        try ask(bench, 7, from: second, nominates: true)
        bench.run(for: .seconds(10))
        #expect(bench.agent.state == .connected)
    }

    /// RFC 8445 section 7.2.5.1: a role conflict changes the role once per request, and only if the request had the
    /// present role.
    @Test func aConflictThatIsToldTwiceChangesTheRoleOnce() throws {
        let bench = try settled()
        let isQuestion = { (sent: (at: Instant, bytes: [UInt8], to: TransportAddress)) in
            sent.to == first && sent.bytes.span.bytes.uint16(at: 0) == 1
        }
        let before = bench.sent.count
        while bench.sent.count(where: isQuestion) < 4 { bench.run(for: .seconds(1)) }
        let questions = bench.sent[before...].filter(isQuestion).suffix(2).map(\.bytes)
        try #require(questions.count == 2)
        let told = try ICEBench.conflict(questions[0])
        bench.give(.datagram(told, from: first, onLocal: host))
        #expect(bench.agent.isControlling)
        bench.give(.datagram(told, from: first, onLocal: host))
        #expect(bench.agent.isControlling && bench.agent.drops[.unknownTransaction] == 1)
        // The other request had the old role, too.
        bench.give(.datagram(try ICEBench.conflict(questions[1]), from: first, onLocal: host))
        #expect(bench.agent.isControlling)
        #expect(bench.events.count { if case .role = $0 { true } else { false } } == 1)
    }
}
