import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSTUN
import HelioSimulation
import HelioTURN
import Testing

/// Messages of an attacker, or of a faulty server.
struct TURNHostileTests {
    private let stranger = STUNTransactionID(high: 0xBAD, low: 0xBAD)

    @Test func junkIsCountedByName() throws {
        let world = try TURNWorld.allocated()
        world.give(.send([1], to: TURNWorld.peer))
        world.run(for: .seconds(1))
        let events = world.events.count
        let relayed = TransportAddress(.v4(1), port: 1)
        let elsewhere = TransportAddress(.v4(0x0909_0909), port: 9)
        let table: [([UInt8], TURNDrop)] = [
            ([], .notTURN), ([0x80, 1, 2, 3], .notTURN), ([22, 254, 253], .notTURN), ([0, 1, 0, 0], .notTURN),
            (
                STUNMessage(.success, .allocate, stranger, [.xorRelayedAddress(relayed)]).serialised(),
                .unknownTransaction
            ),
            (STUNMessage(.error, .refresh, stranger).serialised(), .unknownTransaction),
            (STUNMessage(.request, .binding, stranger).serialised(), .unexpected),
            (STUNMessage(.request, .data, stranger).serialised(), .unexpected),
            (STUNMessage(.indication, .binding, stranger).serialised(), .unexpected),
            (STUNMessage(.indication, .data, stranger, [.data([1])]).serialised(), .malformed),
            (STUNMessage(.indication, .data, stranger, [.xorPeerAddress(TURNWorld.peer)]).serialised(), .malformed),
            (
                STUNMessage(.indication, .data, stranger, [.xorPeerAddress(elsewhere), .data([1])]).serialised(),
                .unknownPeer
            ),
            (
                STUNMessage(
                    .indication, .data, stranger,
                    [.other(STUNAttributeType(0x7FFF), []), .xorPeerAddress(TURNWorld.peer), .data([1])]
                ).serialised(), .unknownAttribute
            ),
            (Array(STUNMessage(.indication, .data, stranger, [.data([1])]).serialised().dropLast()), .malformed),
            ([0x40, 0, 0, 1, 7], .unknownChannel), ([0x4F, 0xFF, 0, 0], .unknownChannel), ([0x40, 0], .malformed),
            ([0x40, 0, 0xFF, 0xFF, 1], .malformed),
        ]
        for (bytes, drop) in table {
            let before = world.client.drops[drop]
            let total = world.client.drops.total
            world.give(.received(bytes))
            #expect(world.client.drops[drop] == before + 1 && world.client.drops.total == total + 1, "\(drop) \(bytes)")
        }
        #expect(world.events.count == events && world.client.relayedAddress != nil)
    }

    @Test func dataOfARefusedPeerIsNotTaken() throws {
        let world = try TURNWorld.allocated()
        world.model.forbidden = [TURNWorld.peer.ip]
        world.give(.send([1], to: TURNWorld.peer))
        world.run(for: .seconds(1))
        let data = STUNMessage(.indication, .data, stranger, [.xorPeerAddress(TURNWorld.peer), .data([7])])
        world.give(.received(data.serialised()))
        #expect(world.client.drops[.unknownPeer] == 1 && world.data.isEmpty)
    }

    @Test(arguments: [[0x80, 0, 0, 0], [0x50, 0, 0, 0], [0, 1, 0, 0, 1, 2, 3, 4], Array("SSH-2.0-OpenSSH".utf8)])
    func otherStreamEndsIt(bytes: [UInt8]) throws {
        let world = try TURNWorld.allocated(isTCP: true)
        world.give(.received(bytes))
        #expect(world.failure == .notTURN && world.client.drops[.notTURN] == 1)
        world.give(.received(bytes))
        #expect(world.client.drops[.unexpected] == 1)
    }

    /// An attacker who sees the requests, but doesn't know the password, answers first.
    @Test func forgedAnswersAreNotBelieved() throws {
        let world = TURNWorld()
        world.give(.connected)
        world.run(for: .seconds(1)) { world.sent.count == 2 }
        let sent = world.sent[1]
        let request = try STUNPacket(parsing: sent.span.bytes).message
        let evil = TransportAddress(.v4(0x0909_0909), port: 9)
        let answer = STUNMessage(.success, .allocate, request.transaction, [.xorRelayedAddress(evil), .lifetime(600)])
        world.inject(answer)
        world.give(
            .received(answer.serialised(integrity: .sha1) { _ in Array(repeating: 7, count: 20) }))
        world.give(
            .received(answer.serialised(integrity: .sha256) { _ in Array(repeating: 7, count: 32) }))
        // An error response as well: the genuine response is still in time.
        world.inject(
            STUNMessage(
                .error, .allocate, request.transaction, [.errorCode(STUNErrorCode(300, "")), .alternateServer(evil)]))
        #expect(world.events.isEmpty && world.client.drops[.forged] == 4)
        world.run(for: .seconds(10))
        #expect(world.events.count == 1 && world.client.relayedAddress == world.model.relayed)
    }

    @Test func onlyForgedAnswers() {
        let world = TURNWorld()
        world.give(.connected)
        world.run(for: .milliseconds(30))
        // From now on the server authenticates its responses with another password than it checks.
        var seen = false
        world.model.tamper = { message in
            guard message.kind == .success else { return }
            seen = true
            world.model.password = "another"
        }
        world.run(for: .seconds(60))
        #expect(seen && world.events == [.failed(.forged)] && world.times == [world.times[0]])
        #expect(world.times[0] > .zero + .seconds(39))
    }

    @Test func forgeryOverTCPEndsIt() {
        let world = TURNWorld(isTCP: true)
        world.model.tamper = { message in
            if message.kind == .success { world.model.password = "another" }
        }
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.failed(.forged)] && world.times[0] < .zero + .seconds(1))
    }

    /// Some servers authenticate only success responses: their errors are accepted after a delay.
    @Test(arguments: [false, true])
    func unsignedErrors(isTCP: Bool) {
        let world = TURNWorld(isTCP: isTCP)
        world.model.signsErrors = false
        world.model.errors[.allocate] = 486
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.failed(.quotaReached)])
        #expect(world.times[0] < .zero + .seconds(3))
    }

    @Test func unsignedRedirectionIsNotFollowed() {
        let world = TURNWorld()
        world.model.signsErrors = false
        world.model.alternate = TransportAddress(.v4(0xC000_0202), port: 3479)
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.failed(.badRedirection)])
    }

    @Test func noncesWithoutEnd() {
        let world = TURNWorld()
        world.model.isNeverContent = true
        world.give(.connected)
        world.run(for: .seconds(60))
        // The first request, the one with the credentials, and two more.
        #expect(world.events == [.failed(.refused(438))] && world.model.requests.count == 4)
    }

    @Test(arguments: [[], [.lifetime(600)], [.lifetime(0), .xorRelayedAddress(TURNWorld.peer)]] as [[STUNAttribute]])
    func uselessAllocation(attributes: [STUNAttribute]) {
        let world = TURNWorld()
        world.model.tamper = { message in if message.kind == .success { message.attributes = attributes } }
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.failed(.badAnswer)])
    }

    @Test func challengeWithoutNonce() {
        let world = TURNWorld()
        world.model.tamper = { message in if message.kind == .error { message.attributes.removeLast() } }
        world.give(.connected)
        world.run(for: .seconds(60))
        #expect(world.events == [.failed(.timedOut)] && world.client.drops[.malformed] >= 1)
    }

    /// A username too long for a message must not cause a crash.
    @Test func endlessUsername() {
        let server = TURNServer(
            id: TURNServer.ID(rawValue: 1), address: TURNWorld.address, isTCP: false,
            username: String(repeating: "x", count: 100_000), password: SecretBytes([]))
        let client = TURNClient(server, crypto: OpenSSLCrypto(), random: SeededGenerator(seed: 1))
        client.handle(.connected, now: .zero)
        guard case .send(let bytes) = client.poll(), let asked = try? STUNPacket(parsing: bytes.span.bytes).message
        else {
            Issue.record("asks nothing")
            return
        }
        let challenge = STUNMessage(
            .error, .allocate, asked.transaction,
            [.errorCode(STUNErrorCode(401, "")), .realm("r"), .nonce("n")])
        client.handle(.received(challenge.serialised()), now: .zero)
        guard case .event(.failed(.wrongCredentials)) = client.poll() else {
            Issue.record("does not fail")
            return
        }
    }

    /// A session's own traffic with random damage causes no trap and no unbounded growth.
    @Test(arguments: 0..<30 as Range<UInt64>, [false, true])
    func damagedTraffic(seed: UInt64, isTCP: Bool) {
        let world = TURNWorld(seed: seed, isTCP: isTCP)
        world.up.conditions.corrupt = 0.1
        world.down.conditions.corrupt = 0.1
        world.give(.connected)
        for number in 0..<200 {
            world.give(.send([UInt8](repeating: 1, count: number), to: TURNWorld.peer))
            world.run(for: .seconds(1))
        }
        world.give(.close)
        world.run(for: .seconds(60))
        #expect(world.client.deadline == nil)
    }
}
