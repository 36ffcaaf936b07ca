import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSimulation
import Testing

@Suite("DTLS between two ends of our own")
struct DTLSHandshakeTests {
    static let everything: LinkConditions = {
        var conditions = LinkConditions(
            loss: .random(0.3), delay: .milliseconds(20), jitter: .milliseconds(20), reorder: 0.3, duplicate: 0.3)
        conditions.reorderDelay = .milliseconds(60)
        return conditions
    }()

    static let networks: [(name: String, conditions: LinkConditions)] = [
        ("perfect", .perfect), ("5 % lost", .lossy5), ("20 % lost", .lossy20), ("bursts", .burst),
        ("mobile", .mobile), ("shuffled", .shuffled),
        ("all of it", everything),
    ]

    @Test("stands and carries data over any network", arguments: networks.map(\.name), [300, 1200])
    func anyNetwork(_ name: String, _ mtu: Int) throws {
        let conditions = try #require(Self.networks.first { $0.name == name }).conditions
        for seed in 0..<40 as Range<UInt64> {
            func end(_ role: DTLSRole) throws -> DTLSEnd {
                try DTLSEnd(role, hellos: 20) {
                    $0.mtu = mtu
                    $0.asksForCookie = seed % 2 == 0
                }
            }
            let world = DTLSWorld(try end(.client), try end(.server), conditions, seed: seed)
            try world.run(for: .seconds(40))
            #expect(world.isConnected, "seed \(seed): \(String(describing: world.a.failure))")
            for end in [world.a, world.b] {
                #expect(end.sizes.allSatisfy { $0 <= mtu }, "seed \(seed): \(end.sizes)")
                #expect((1...20).contains(end.received.count), "seed \(seed): \(end.received.count)")
                #expect(end.received.allSatisfy { $0 == DTLSEnd.hello }, "seed \(seed)")
            }
        }
    }

    /// For one of the sizes the last message just fits, except for the overhead of its protection.
    @Test("no datagram of a handshake is longer than was asked for")
    func everyMTU() throws {
        for mtu in 300...900 {
            let world = DTLSWorld(try DTLSEnd(.client) { $0.mtu = mtu }, try DTLSEnd(.server) { $0.mtu = mtu })
            try world.settle()
            #expect(world.isConnected)
            #expect(((world.a.sizes + world.b.sizes).max() ?? 0) <= mtu)
        }
    }

    @Test("a bad wire ends in time and never in different keys")
    func corruption() throws {
        var conditions = LinkConditions.lossy5
        conditions.corrupt = 0.1
        var connected = 0
        for seed in 0..<150 as Range<UInt64> {
            let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server), conditions, seed: seed)
            try world.run(for: .seconds(60))
            #expect(world.a.isDecided && world.b.isDecided, "seed \(seed)")
            if world.a.session != nil, world.b.session != nil {
                #expect(world.isConnected, "seed \(seed)")
                connected += 1
            }
        }
        #expect(connected > 20)
    }

    @Test("the silence of a peer is met on schedule")
    func silence() throws {
        let client = try DTLSEnd(.client)
        client.tamper = { _, _ in nil }
        let world = DTLSWorld(client, try DTLSEnd(.server))
        try world.run(for: .seconds(29.99))
        let expected = [0, 200, 600, 1400, 3000, 6200, 10_200, 14_200, 18_200, 22_200, 26_200]
        #expect(world.a.sentAt.map { Int($0.nanoseconds / 1_000_000) } == expected)
        #expect(world.a.failure == nil && world.b.failure == nil)
        try world.run(for: .seconds(1))
        #expect(world.a.failure == .timedOut && world.b.failure == .timedOut)
        #expect(world.a.deadline == nil && world.b.deadline == nil)
    }

    @Test("a flight is sent again no oftener than its schedule says")
    func patienceEnds() throws {
        let client = try DTLSEnd(.client) {
            $0.retransmission.longest = .milliseconds(400)
            $0.retransmission.most = 4
        }
        client.tamper = { _, _ in nil }
        let world = DTLSWorld(client, try DTLSEnd(.server))
        try world.run(for: .seconds(3))
        #expect(world.a.sentAt.map { Int($0.nanoseconds / 1_000_000) } == [0, 200, 600, 1000, 1400])
        #expect(world.a.failure == .timedOut)
    }

    /// On an otherwise perfect network each datagram of a handshake is lost once, in turn; OpenSSL's own timer would be
    /// too slow.
    @Test("each datagram may be lost", arguments: [DTLSRole.client, .server], 0..<3)
    func eachLost(_ role: DTLSRole, _ index: Int) throws {
        let world = DTLSWorld(try DTLSEnd(.client, hellos: 1), try DTLSEnd(.server, hellos: 1))
        let loser = role == .client ? world.a : world.b
        loser.tamper = { $0 == index ? nil : $1 }
        try world.run(for: .seconds(5))
        #expect(world.isConnected)
        #expect(loser.sizes.count > index)
    }

    @Test("a client has to show that it hears us, where that is asked for")
    func cookie() throws {
        let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server) { $0.asksForCookie = true })
        var first: [UInt8] = []
        world.b.tamper = { index, bytes in
            if index == 0 { first = bytes }
            return bytes
        }
        try world.settle()
        #expect(world.isConnected)
        // A handshake record with a message of type 3, hello verify request.
        #expect(first.first == 22 && first[13] == 3)
        // The response is no larger than the request.
        #expect(first.count < world.a.sizes[0])
    }

    @Test("a cookie that was made up is refused")
    func falseCookie() throws {
        let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server) { $0.asksForCookie = true })
        world.a.tamper = { index, bytes in
            guard index == 1 else { return bytes }
            var bytes = bytes
            // Behind the headers of record and message, the version, the random (32 bytes), the zero session ID length,
            // and the cookie's length.
            #expect(bytes[13 + 12 + 2 + 32] == 0 && bytes[13 + 12 + 2 + 32 + 1] == 32)
            bytes[13 + 12 + 2 + 32 + 2 + 31] ^= 1
            return bytes
        }
        try world.settle()
        #expect(world.b.failure == .refused("cookie mismatch"))
        #expect(world.b.sizes.count == 2 && world.a.session == nil)
    }

    struct Agreement: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let client: [SRTPProfile]
        let server: [SRTPProfile]
        let agreed: SRTPProfile?
    }

    static let agreements =
        SRTPProfile.allCases.map {
            Agreement(testDescription: $0.rawValue, client: [$0], server: SRTPProfile.allCases, agreed: $0)
        } + [
            Agreement(
                testDescription: "nothing in common", client: [.aeadAes128Gcm], server: [.aeadAes256Gcm], agreed: nil),
            Agreement(testDescription: "client without", client: [], server: SRTPProfile.allCases, agreed: nil),
            Agreement(testDescription: "server without", client: SRTPProfile.allCases, server: [], agreed: nil),
        ]

    @Test("SRTP's keys are the same at both ends", arguments: agreements)
    func keys(_ agreement: Agreement) throws {
        let world = DTLSWorld(
            try DTLSEnd(.client) { $0.srtpProfiles = agreement.client },
            try DTLSEnd(.server) { $0.srtpProfiles = agreement.server })
        try world.settle()
        #expect(world.isConnected)
        #expect(world.a.session?.srtp?.profile == agreement.agreed)
        guard agreement.agreed != nil else { return }
        let (here, there) = (try #require(world.a.session?.srtp), try #require(world.b.session?.srtp))
        #expect(here.local != here.remote)
        #expect("\(here)" == "\(here.profile.rawValue) <secrets>")
        var sender = try SRTPSender(key: here.local, crypto: OpenSSLCrypto())
        var receiver = try SRTPReceiver(key: there.remote, crypto: OpenSSLCrypto())
        let packet: [UInt8] = [0x80, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 1, 2, 3]
        var bytes = packet
        try sender.protect(rtp: &bytes, headerLength: 12, sequence: ExtendedSequence(1))
        _ = try receiver.open(rtp: &bytes)
        #expect(bytes == packet)
    }

    @Test("each association has keys of its own")
    func freshKeys() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<5 {
            let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server))
            try world.settle()
            seen.insert(try #require(world.a.session?.srtp).local.keyAndSalt.bytes)
        }
        #expect(seen.count == 5)
    }
}
