import HelioCore
import HelioICE
import HelioOpenSSL
import HelioProtection
import HelioSTUN
import Testing

/// A single agent's checks, one at a time.
struct ICECheckTests {
    private let host = TransportAddress(.v4(0xC633_6401), port: 5000)
    private let remote = TransportAddress(.v4(0xC633_6402), port: 6000)
    private let credentials = ICEBench.credentials

    private func bench(isControlling: Bool = true, seed: UInt64 = 1) throws -> ICEBench {
        let bench = try ICEBench(ICESettings(isControlling: isControlling), seed: seed)
        bench.give(.localCandidate(.host(host)))
        bench.give(.remoteCredentials(credentials, isLite: false))
        return bench
    }

    private func candidate(
        _ host: String, port: UInt16 = 6000, foundation: String = "1", kind: CandidateKind = .host
    )
        throws -> CandidateAttribute
    {
        CandidateAttribute(
            foundation: foundation, priority: kind.priority(localPreference: 65535),
            host: try #require(CandidateHost(host)), port: port, kind: kind)
    }

    private func check(
        _ bench: ICEBench, _ number: UInt64, usesCandidate: Bool = false, attributes: [STUNAttribute] = [],
        by asker: String = "peer", of asked: ICECredentials? = nil
    ) throws -> [UInt8] {
        try bench.check(number, usesCandidate: usesCandidate, attributes: attributes, by: asker, of: asked)
    }

    private func answer(_ request: [UInt8], _ mapped: TransportAddress) throws -> [UInt8] {
        try ICEBench.answer(request, mapped)
    }

    private func sealed(_ message: STUNMessage, _ password: SecretBytes) throws -> [UInt8] {
        try ICEBench.sealed(message, password)
    }

    private func message(_ bytes: [UInt8]) throws -> STUNMessage { try STUNPacket(parsing: bytes.span.bytes).message }

    /// RFC 8489 section 6.2.1 with an RTO of 500 ms: seven transmissions, then a wait of 16 RTO.
    @Test func unansweredCheckIsSentSevenTimes() throws {
        let bench = try bench()
        bench.give(.remoteCandidate(try candidate("198.51.100.2")))
        bench.give(.localCandidatesEnded)
        bench.give(.remoteCandidatesEnded)
        bench.run(for: .milliseconds(39_499))
        #expect(bench.sent.map { ($0.at - .zero).milliseconds } == [0, 500, 1500, 3500, 7500, 15_500, 31_500])
        #expect(Set(bench.sent.map(\.bytes)).count == 1)
        #expect(bench.agent.state == .checking)
        bench.run(for: .milliseconds(1))
        #expect(bench.agent.state == .failed)
    }

    /// New credentials of one end with old ones of the other: only the peer would consider such a pair valid.
    @Test(arguments: ["next", "peer"])
    func checksAcrossARestartAreNotAnswered(after: String) throws {
        let bench = try bench(isControlling: false)
        bench.give(.datagram(try check(bench, 0, usesCandidate: true), from: remote, onLocal: host))
        bench.run(for: .zero)
        let request = try #require(bench.sent.last { $0.bytes[0] == 0 })
        bench.give(.datagram(try answer(request.bytes, host), from: remote, onLocal: host))
        try #require(bench.agent.selectedPair != nil)
        let old = bench.agent.localCredentials
        var number: UInt64 = 0
        func answers(_ asker: String, _ asked: ICECredentials? = nil) throws -> Bool {
            number += 1
            let before = bench.sent.count
            let check = try check(bench, number, by: asker, of: asked)
            bench.give(.datagram(check, from: remote, onLocal: host))
            return try bench.sent.dropFirst(before).contains { try message($0.bytes).kind == .success }
        }
        #expect(try answers("peer") && !answers("next"))

        bench.give(.restart)
        #expect(try !answers("peer"), "nor before the peer's new ones are known")
        #expect(try answers("peer", old) && !answers("next", old), "the path that is in use goes on")
        bench.give(.cancelRestart)
        #expect(try answers("peer") && !answers("next"))

        bench.give(.restart)
        bench.give(.restart)
        #expect(try !answers("peer"))
        let credentials = try #require(ICECredentials(usernameFragment: after, password: "passwordOfThePeer123456"))
        bench.give(.remoteCredentials(credentials, isLite: false))
        // Some peers keep their credentials over a restart.
        for name in ["next", "peer"] { #expect(try answers(name) == (name == after)) }
        #expect(try answers("peer", old) && !answers("next", old))
        #expect(bench.agent.drops[.unknownPeer] == 7)
    }

    /// The attributes of a check (RFC 8445 section 7.1).
    @Test func checkSaysWhatItMust() throws {
        let bench = try bench()
        bench.give(.remoteCandidate(try candidate("198.51.100.2")))
        bench.run(for: .zero)
        let bytes = try #require(bench.sent.first?.bytes)
        let packet = try STUNPacket(parsing: bytes.span.bytes)
        #expect(packet.hasFingerprint && packet.message.kind == .request)
        #expect(packet.message.username == "peer:\(bench.agent.localCredentials.usernameFragment)")
        #expect(packet.message.priority == CandidateKind.peerReflexive.priority(localPreference: .max))
        #expect(packet.message.controlling != nil && packet.message.controlled == nil)
        #expect(!packet.message.usesCandidate)
        let seal = try #require(packet.seals[.sha1])
        let mac = try OpenSSLCrypto().mac(.sha1, key: credentials.password)
        let covered = packet.covered(by: seal, of: bytes.span.bytes)
        #expect(mac.code(over: covered.span.bytes, trailer: nil).bytes == seal.code)
    }

    /// One new check every 50 ms, best pair first; a pair with the foundation of one in progress is frozen.
    @Test func checksArePacedAndOrdered() throws {
        let bench = try bench()
        bench.give(.remoteCandidate(try candidate("198.51.100.2", port: 1, foundation: "1", kind: .relayed)))
        bench.give(.remoteCandidate(try candidate("198.51.100.2", port: 2, foundation: "2", kind: .serverReflexive)))
        bench.give(.remoteCandidate(try candidate("198.51.100.2", port: 3, foundation: "3", kind: .host)))
        bench.give(.remoteCandidate(try candidate("198.51.100.3", port: 4, foundation: "3", kind: .host)))
        bench.run(for: .milliseconds(400))
        #expect(bench.sent.map(\.to.port) == [3, 2, 1])
        #expect(bench.sent.map { ($0.at - .zero).milliseconds } == [0, 50, 100])
        // A check of the same foundation succeeded: the pair is unfrozen.
        bench.give(.datagram(try answer(bench.sent[0].bytes, host), from: bench.sent[0].to, onLocal: host))
        bench.run(for: .milliseconds(60))
        #expect(bench.sent.map(\.to.port).contains(4))
    }

    @Test func checkIsAnswered() throws {
        let bench = try bench(isControlling: false)
        bench.give(.datagram(try check(bench, 1), from: remote, onLocal: host))
        let first = try #require(bench.sent.first).bytes
        let packet = try STUNPacket(parsing: first.span.bytes)
        #expect(packet.message.kind == .success && packet.message.transaction == .init(high: 7, low: 1))
        #expect(packet.message.mappedAddress == remote && packet.hasFingerprint && packet.seals[.sha1] != nil)
        #expect(bench.sent.first?.to == remote)
        // A triggered check to the source address follows.
        bench.run(for: .milliseconds(50))
        #expect(bench.sent.count == 2 && bench.sent.last?.to == remote)
        #expect(try message(bench.sent[1].bytes).kind == .request)
    }

    /// RFC 8445 section 14.3: with 20 checks in progress, the RTO is the time needed to send them all.
    @Test func theMoreIsUnderWayTheLongerEachIsWaitedFor() throws {
        let bench = try bench()
        for number in 2...21 {
            bench.give(.remoteCandidate(try candidate("198.51.100.\(number)", foundation: "\(number)")))
        }
        bench.run(for: .milliseconds(999))
        #expect(bench.sent.count == 20 && Set(bench.sent.map(\.to)).count == 20)
        bench.run(for: .milliseconds(1))
        #expect(bench.sent.count == 21 && bench.sent[20].bytes == bench.sent[0].bytes)
    }

    /// RFC 8445 section 7.3.1.1: with equal tie-breakers, the controlling end keeps its role, and the controlled end
    /// becomes controlling.
    @Test(arguments: [true, false], [-1, 0, 1])
    func theGreaterTieBreakerControls(isControlling: Bool, difference: Int) throws {
        let bench = try bench(isControlling: isControlling)
        bench.give(.remoteCandidate(try candidate("198.51.100.2")))
        bench.run(for: .zero)
        let ours = try message(try #require(bench.sent.first).bytes)
        let tieBreaker = try #require(isControlling ? ours.controlling : ours.controlled)
        let theirs = UInt64(bitPattern: Int64(bitPattern: tieBreaker) &+ Int64(difference))
        let own = bench.agent.localCredentials
        let conflict = try sealed(
            STUNMessage(
                .request, .binding, STUNTransactionID(high: 9, low: 9),
                [
                    .username("\(own.usernameFragment):peer"), .priority(0x6E00_01FF),
                    isControlling ? .iceControlling(theirs) : .iceControlled(theirs),
                ]), own.password)
        let before = bench.sent.count
        bench.give(.datagram(conflict, from: remote, onLocal: host))
        let answer = try message(try #require(bench.sent.dropFirst(before).first).bytes)
        let controls = difference <= 0
        #expect(bench.agent.isControlling == controls)
        #expect(answer.kind == (controls == isControlling ? .error : .success))
        #expect(answer.errorCode?.code == (controls == isControlling ? STUNErrorCode.roleConflict : nil))
    }

    @Test func nominatedPairIsUsedOnceItIsProven() throws {
        let bench = try bench(isControlling: false)
        bench.give(.datagram(try check(bench, 1, usesCandidate: true), from: remote, onLocal: host))
        bench.run(for: .milliseconds(50))
        #expect(bench.agent.selectedPair == nil)
        #expect(!bench.agent.isProven(from: remote, onLocal: host))
        bench.give(.datagram(try answer(bench.sent[1].bytes, host), from: remote, onLocal: host))
        #expect(bench.agent.selectedPair?.remote == remote && bench.agent.state == .connected)
        #expect(bench.agent.isProven(from: remote, onLocal: host))
    }

    /// RFC 5245's aggressive nomination: each check has USE-CANDIDATE; the best pair is selected in the end.
    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
    func aggressivePeerIsTolerated(order: [Int]) throws {
        let bench = try bench(isControlling: false)
        let kinds: [CandidateKind] = [.relayed, .serverReflexive, .host]
        for (index, kind) in kinds.enumerated() {
            bench.give(
                .remoteCandidate(
                    try candidate("198.51.100.2", port: 6000 + UInt16(index), foundation: "\(index)", kind: kind)))
        }
        bench.run(for: .milliseconds(200))
        let checks = Dictionary(bench.sent.map { ($0.to.port, $0.bytes) }) { first, _ in first }
        for index in order {
            let port = 6000 + UInt16(index)
            let from = TransportAddress(remote.ip, port: port)
            bench.give(
                .datagram(try check(bench, UInt64(index), usesCandidate: true), from: from, onLocal: host))
            bench.run(for: .milliseconds(60))
            let request = try #require(
                bench.sent.last { $0.to == from && $0.bytes[0] == 0 && $0.bytes[1] == 1 }
                    ?? checks[port].map { (bench.now, $0, from) })
            bench.give(.datagram(try answer(request.bytes, host), from: from, onLocal: host))
        }
        #expect(bench.agent.selectedPair?.remote.port == 6002)
    }

    @Test func unknownAttributeIsRefused() throws {
        let bench = try bench(isControlling: false)
        let strange = STUNAttributeType(0x7ABC)
        bench.give(
            .datagram(try check(bench, 1, attributes: [.other(strange, [1])]), from: remote, onLocal: host))
        let answer = try message(try #require(bench.sent.first).bytes)
        #expect(answer.kind == .error && answer.errorCode?.code == 420)
        #expect(answer.attributes.contains(.unknownAttributes([strange])))
        bench.run(for: .seconds(1))
        #expect(bench.sent.count == 1 && bench.agent.drops[.unknownAttribute] == 1)
    }

    /// Checks of an attacker without credentials are dropped without a response.
    @Test func forgeriesAreDropped() throws {
        let bench = try bench(isControlling: false)
        let local = bench.agent.localCredentials
        let genuine = try message(try check(bench, 1, usesCandidate: true))
        var named = genuine
        named.attributes[0] = .username("other:peer")
        let password = SecretBytes(Array("notThePasswordAtAll1234".utf8))
        let forgeries: [([UInt8], ICEDrop)] = [
            (try sealed(genuine, password), .badIntegrity),
            (try sealed(named, local.password), .unknownUser),
            (genuine.serialised(), .unauthenticated),
            (STUNMessage(.request, .binding, genuine.transaction).serialised(), .unauthenticated),
            (STUNMessage(.indication, .binding, genuine.transaction).serialised(), .indication),
            (try sealed(STUNMessage(.request, .allocate, genuine.transaction), local.password), .unknownMethod),
            (try answer(try check(bench, 9), host), .unknownTransaction),
            ([0, 1], .notSTUN), ([], .notSTUN), (Array(try check(bench, 1).dropLast()), .malformed),
        ]
        for (index, forgery) in forgeries.enumerated() {
            bench.give(.datagram(forgery.0, from: remote, onLocal: host))
            bench.run(for: .seconds(1))
            #expect(bench.agent.drops[forgery.1] > 0 && bench.agent.drops.total == index + 1, "\(forgery.1)")
        }
        bench.give(.datagram(try check(bench, 1), from: remote, onLocal: TransportAddress(host.ip, port: 1)))
        #expect(bench.agent.drops[.unknownLocal] == 1)
        #expect(bench.sent.isEmpty && bench.agent.selectedPair == nil)
    }

    /// A replayed check from another address is recognised, and selects no pair.
    @Test func replayedCheckIsDropped() throws {
        let bench = try bench(isControlling: false)
        let check = try check(bench, 1, usesCandidate: true)
        bench.give(.datagram(check, from: remote, onLocal: host))
        let attacker = TransportAddress(.v4(0x0808_0808), port: 8)
        bench.give(.datagram(check, from: attacker, onLocal: host))
        bench.run(for: .seconds(2))
        #expect(bench.agent.drops[.replayed] == 1)
        // The copy is answered, since the peer's original may arrive later, but has no further effect.
        #expect(bench.sent.filter { $0.to == attacker }.map(\.bytes[0]) == [1])
        // From the original address it is a retransmission.
        let answers = bench.sent.filter { $0.bytes[0] == 1 }.count
        bench.give(.datagram(check, from: remote, onLocal: host))
        #expect(bench.sent.filter { $0.bytes[0] == 1 }.count == answers + 1)
    }

    /// A response must come from the request's destination, and be authenticated with the peer's password.
    @Test func answersAreChecked() throws {
        let bench = try bench()
        bench.give(.remoteCandidate(try candidate("198.51.100.2")))
        bench.run(for: .zero)
        let request = try #require(bench.sent.first).bytes
        let transaction = try message(request).transaction
        let wrong = SecretBytes(Array("notThePasswordAtAll1234".utf8))
        let forged = try sealed(STUNMessage(.success, .binding, transaction, [.xorMappedAddress(host)]), wrong)
        bench.give(.datagram(forged, from: remote, onLocal: host))
        let unsealed = STUNMessage(
            .error, .binding, transaction, [.errorCode(STUNErrorCode(487, ""))]
        ).serialised()
        bench.give(.datagram(unsealed, from: remote, onLocal: host))
        #expect(bench.agent.drops[.badIntegrity] == 2 && bench.agent.isControlling)
        bench.give(
            .datagram(try answer(request, host), from: TransportAddress(remote.ip, port: 1), onLocal: host))
        #expect(bench.agent.drops[.asymmetric] == 1 && bench.agent.selectedPair == nil)
        #expect(!bench.agent.isProven(from: remote, onLocal: host))
    }

    @Test func memoryIsBounded() throws {
        let bench = try ICEBench(ICESettings(isControlling: false))
        bench.give(.localCandidate(.host(host)))
        // Checks before the peer's credentials are known are held.
        for number in 0..<100 as Range<UInt64> {
            let from = TransportAddress(.v4(0x0900_0000 + UInt32(number)), port: 9)
            bench.give(.datagram(try check(bench, number), from: from, onLocal: host))
        }
        #expect(bench.agent.drops[.tooMany] == 100 - 32)
        bench.give(.remoteCredentials(credentials, isLite: false))
        for number in 100..<600 as Range<UInt64> {
            let from = TransportAddress(.v4(0x0900_0000 + UInt32(number)), port: 9)
            bench.give(.datagram(try check(bench, number), from: from, onLocal: host))
        }
        // The genuine check still gets through.
        bench.give(.datagram(try check(bench, 1000, usesCandidate: true), from: remote, onLocal: host))
        bench.run(for: .seconds(6))
        let request = try #require(bench.sent.last { $0.to == remote && $0.bytes[0] == 0 })
        bench.give(.datagram(try answer(request.bytes, host), from: remote, onLocal: host))
        #expect(bench.agent.selectedPair?.remote == remote)
        for number in 0..<200 as Range<UInt16> {
            bench.give(.remoteCandidate(try candidate("198.51.100.9", port: number + 1)))
        }
        #expect(bench.agent.drops[.tooMany] > 68)
    }

    @Test func serverTellsTheReflexiveAddress() throws {
        var settings = ICESettings(isControlling: true)
        settings.stunServers = [ICEWorld.server, TransportAddress(.v6(high: 1, low: 1), port: 3478)]
        let bench = try ICEBench(settings)
        bench.give(.localCandidate(.host(host)))
        bench.give(.localCandidatesEnded)
        bench.run(for: .milliseconds(100))
        // The other server has another address family.
        #expect(bench.sent.map(\.to) == [ICEWorld.server])
        let mapped = TransportAddress(.v4(0x0102_0304), port: 77)
        let transaction = try message(bench.sent[0].bytes).transaction
        let answer = STUNMessage(.success, .binding, transaction, [.xorMappedAddress(mapped)]).serialised()
        bench.give(.datagram(answer, from: remote, onLocal: host))
        #expect(bench.agent.localCandidates.count == 1 && bench.agent.drops[.unknownTransaction] == 1)
        bench.give(.datagram(answer, from: ICEWorld.server, onLocal: host))
        let line = bench.agent.localCandidates.last?.attribute.attributeValue
        #expect(line == "2 1 udp 1694498815 1.2.3.4 77 typ srflx raddr 198.51.100.1 rport 5000")
        #expect(bench.events.last == .gathered)
        // The NAT binding is refreshed while nothing else is sent.
        bench.run(for: .milliseconds(15_100))
        #expect(bench.sent.count == 2 && bench.sent[1].to == ICEWorld.server)
        #expect(bench.sent[1].bytes != bench.sent[0].bytes)
    }

    @Test func gatheringEndsWithoutAnAnswer() throws {
        var settings = ICESettings(isControlling: true)
        settings.stunServers = [ICEWorld.server]
        let bench = try ICEBench(settings)
        bench.give(.localCandidate(.host(host)))
        bench.give(.localCandidatesEnded)
        bench.run(for: .seconds(39))
        #expect(!bench.events.contains(.gathered))
        bench.run(for: .seconds(1))
        #expect(bench.events.last == .gathered && bench.sent.count == 7)
    }

    @Test func hiddenAddressesAreAskedFor() throws {
        let bench = try bench()
        bench.give(.remoteCandidate(try candidate("abc.local")))
        bench.give(.remoteCandidate(try candidate("abc.local", port: 6001, foundation: "2")))
        bench.give(.remoteCandidate(try candidate("gone.local")))
        bench.give(.remoteCandidate(try candidate("www.example.org")))
        #expect(bench.names == ["abc.local", "gone.local"])
        #expect(bench.agent.drops[.unsupportedCandidate] == 1)
        bench.give(.resolved("gone.local", []))
        bench.give(.resolved("never.local", [.v4(1)]))
        bench.give(.resolved("abc.local", [remote.ip]))
        bench.run(for: .seconds(1))
        #expect(Set(bench.sent.map(\.to)) == [remote, TransportAddress(remote.ip, port: 6001)])
        #expect(bench.agent.drops[.unresolved] == 1)
        for number in 0..<40 { bench.give(.remoteCandidate(try candidate("x\(number).local"))) }
        #expect(bench.names.count == 2 + 16 && bench.agent.drops[.tooMany] == 24)
    }

    @Test func familiesAndLinksStayApart() throws {
        let bench = try ICEBench(ICESettings(isControlling: true))
        for address in ["192.0.2.7", "2001:db8::7", "fe80::7"] {
            bench.give(.localCandidate(.host(TransportAddress(try #require(IPAddress(address)), port: 7))))
        }
        bench.give(.remoteCredentials(credentials, isLite: false))
        let remotes = ["198.51.100.9", "2001:db8::9", "fe80::9"]
        for (index, address) in remotes.enumerated() {
            bench.give(.remoteCandidate(try candidate(address, foundation: "\(index)")))
        }
        bench.give(.remoteCandidate(try candidate("0.0.0.0")))
        bench.give(
            .remoteCandidate(
                try #require(
                    CandidateAttribute(
                        attributeValue: "1 1 tcp 9 192.0.2.9 9 typ host tcptype active"))))
        bench.give(.remoteCandidate(try #require(CandidateAttribute(attributeValue: "1 2 udp 9 192.0.2.9 9 typ host"))))
        bench.run(for: .milliseconds(400))
        #expect(bench.sent.count == 3 && Set(bench.sent.map { "\($0.to.ip)" }) == Set(remotes))
        #expect(bench.agent.drops[.unsupportedCandidate] == 3)
    }

    @Test func worksOverIPv6() throws {
        let bench = try ICEBench(ICESettings(isControlling: false))
        let host = TransportAddress(.v6(high: 0x2001_0DB8_0000_0001, low: 1), port: 5000)
        let remote = TransportAddress(.v6(high: 0x2001_0DB8_0000_0002, low: 2), port: 6000)
        bench.give(.localCandidate(.host(host)))
        bench.give(.remoteCredentials(credentials, isLite: false))
        bench.give(.datagram(try check(bench, 1, usesCandidate: true), from: remote, onLocal: host))
        #expect(try message(#require(bench.sent.first).bytes).mappedAddress == remote)
        bench.run(for: .milliseconds(50))
        bench.give(.datagram(try answer(bench.sent[1].bytes, host), from: remote, onLocal: host))
        #expect(bench.agent.selectedPair?.base == host && bench.agent.selectedPair?.remote == remote)
        #expect(bench.agent.selectedPair?.remoteKind == .peerReflexive)
    }

    /// A check by this end's relay shows the peer's address before that is signalled: it is tried directly all the same.
    @Test func addressThatARelayHasShownIsTriedDirectly() throws {
        let bench = try bench(isControlling: false)
        let relay = TransportAddress(.v4(0xC633_6409), port: 7000)
        bench.give(.localCandidate(.relayed(relay, mapped: nil, server: relay.ip)))
        bench.give(.datagram(try check(bench, 1), from: remote, onLocal: relay))
        bench.run(for: .milliseconds(100))
        // Requests have the type 1; one from each base.
        func requests() -> Int { bench.sent.count { $0.to == remote && $0.bytes.span.bytes.uint16(at: 0) == 1 } }
        #expect(requests() == 1)
        bench.give(.remoteCandidate(try candidate("198.51.100.2", kind: .serverReflexive)))
        bench.run(for: .milliseconds(200))
        #expect(requests() == 2)
    }

    @Test func credentialsChangeByRestartOnly() throws {
        let bench = try bench()
        bench.give(.remoteCredentials(credentials, isLite: false))
        #expect(bench.agent.drops.total == 0)
        let other = try #require(ICECredentials(usernameFragment: "else", password: "passwordOfThePeer123456"))
        bench.give(.remoteCredentials(other, isLite: false))
        #expect(bench.agent.drops[.unexpectedCredentials] == 1)
    }

    @Test func credentialsAreICEsAndHidden() throws {
        var random = SeededGenerator(seed: 1)
        let first = ICECredentials(using: &random)
        let second = ICECredentials(using: &random)
        #expect(first != second && first.usernameFragment.count == 8 && first.password.count == 24)
        let password = String(decoding: first.password.bytes, as: UTF8.self)
        #expect(ICECredentials(usernameFragment: first.usernameFragment, password: password) == first)
        #expect(!"\(first)".contains(password) && !String(reflecting: first).contains(password))
        #expect(ICECredentials(usernameFragment: "abc", password: password) == nil)
        #expect(ICECredentials(usernameFragment: "abcd", password: "short") == nil)
    }
}
