import HelioCore
import HelioICE
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSimulation
import Testing

/// Two Heliograph peer connections, from the app's view.
struct PeerConnectionTests {
    /// A world whose ends are connected, with a channel from `a`.
    private func connected(
        seed: UInt64 = 1, _ conditions: PeerWorld.Conditions = .init(),
        configure: (inout PeerConnectionConfiguration, inout PeerConnectionConfiguration) -> Void = { _, _ in }
    ) throws -> (world: PeerWorld, channel: PeerChannelID) {
        let world = PeerWorld(seed: seed, conditions, configure: configure)
        let channel = try world.call(world.a) { connection, now in
            try connection.openChannel(DataChannelDescription(label: "chat"), now: now)
        }
        try world.begin()
        #expect(try world.run(for: .seconds(20)) { world.isConnected && world.b.channel("chat") != nil })
        return (world, channel)
    }

    @Test func anOfferAnAnswerAndMessagesBothWays() throws {
        let (world, channel) = try connected()
        #expect(world.a.timesNeeded == 1 && world.a.agreements == 1 && world.b.agreements == 1)
        #expect(world.a.states == [.connecting, .connected] && world.b.states == [.connecting, .connected])
        #expect(world.a.opened[channel]?.isByPeer == false)
        world.b.isEcho = true
        try world.call(world.a) { try $0.send(.text(Array("hello".utf8)), on: channel, now: $1) }
        try world.call(world.a) { try $0.send(.binary([]), on: channel, now: $1) }
        try world.call(world.a) { try $0.send(.binary([UInt8](repeating: 7, count: 200_000)), on: channel, now: $1) }
        #expect(try world.run(for: .seconds(5)) { world.a.messages(on: "chat").count == 3 })
        #expect(
            world.a.messages(on: "chat") == [
                .text(Array("hello".utf8)), .binary([]), .binary([UInt8](repeating: 7, count: 200_000)),
            ])
        #expect(world.a.connection.drops.total == 0 && world.b.connection.drops.total == 0)
    }

    /// From the offer on: one way each for offer and answer, checks in both directions, four DTLS flights, two of SCTP.
    @Test func aConnectionStandsWithinFewRoundTrips() throws {
        let world = PeerWorld(seed: 3, .init(jitter: .zero))
        _ = try world.call(world.a) { try $0.openChannel(DataChannelDescription(label: "fast"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(2)) { world.b.channel("fast") != nil })
        #expect(world.now <= .zero + .milliseconds(220), "took \(world.now)")
    }

    @Test(arguments: [(true, false), (false, true), (true, true)])
    func translatorsArePassed(a: Bool, b: Bool) throws {
        let (world, _) = try connected(seed: 4, .init(isBehindNAT: (a, b)))
        #expect(world.a.connection.path != nil)
    }

    @Test func noTrickleIsNeeded() throws {
        let world = PeerWorld(seed: 5)
        world.trickles = false
        _ = try world.call(world.a) { try $0.openChannel(DataChannelDescription(label: "x"), now: $1) }
        _ = try world.call(world.a) { try $0.makeOffer(now: $1) }
        world.gather()
        #expect(world.a.connection.isGatheringComplete)
        let offer = try #require(world.a.connection.localDescription)
        #expect(offer.contains("a=candidate:") && offer.contains("a=end-of-candidates"))
        world.signal(to: world.b, .offer(offer))
        #expect(try world.run(for: .seconds(5)) { world.isConnected })
    }

    @Test func aLiteHostIsReached() throws {
        let (world, _) = try connected(seed: 6) { _, b in b.isLite = true }
        #expect(world.b.channel("chat") != nil)
    }

    @Test func anotherCertificateIsRefused() throws {
        let world = PeerWorld(seed: 7)
        _ = try world.call(world.a) { try $0.openChannel(DataChannelDescription(label: "x"), now: $1) }
        world.gather()
        let offer = try world.call(world.a) { try $0.makeOffer(now: $1) }
        // An attacker on the signalling path changes one digit of the fingerprint.
        let start = try #require(offer.firstRange(of: "a=fingerprint:sha-256 ")).upperBound
        var forged = offer
        forged.replaceSubrange(start..<offer.index(after: start), with: offer[start] == "0" ? "1" : "0")
        world.signal(to: world.b, .offer(forged))
        try world.run(for: .seconds(5)) { world.b.connection.state == .failed }
        #expect(world.b.failures == [.handshake(.wrongFingerprint)])
        #expect(world.a.opened.isEmpty && world.b.opened.isEmpty)
    }

    @Test func closingIsToldAtOnce() throws {
        let (world, channel) = try connected(seed: 8)
        world.call(world.a) { $0.close(now: $1) }
        #expect(world.a.connection.state == .closed && world.a.closed == [channel])
        #expect(try world.run(for: .seconds(1)) { world.b.connection.state == .closed })
        #expect(world.b.closed.count == 1)
        #expect(world.a.connection.deadline == nil && world.b.connection.deadline == nil)
        #expect(throws: DataChannelError.self) {
            try world.call(world.a) { try $0.send(.text([]), on: channel, now: $1) }
        }
        #expect(throws: PeerConnectionError.closed) { try world.call(world.a) { try $0.makeOffer(now: $1) } }
    }

    @Test func aLostPathIsToldAndARestartFindsAnother() throws {
        let (world, channel) = try connected(seed: 9)
        world.a.link.partitions = [world.now..<world.now + .seconds(60)]
        #expect(try world.run(for: .seconds(50)) { world.a.connection.state == .failed })
        #expect(world.a.failures == [.noPath] && world.a.states.contains(.disconnected))
        world.a.link.partitions = []
        try world.offer(from: world.a, restartsICE: true)
        #expect(try world.run(for: .seconds(10)) { world.isConnected })
        try world.call(world.a) { try $0.send(.text([65]), on: channel, now: $1) }
        #expect(try world.run(for: .seconds(12)) { world.b.messages(on: "chat") == [.text([65])] })
    }

    @Test func aRestartInTheMiddleLosesNothing() throws {
        let (world, channel) = try connected(seed: 10, .init(loss: 0.05))
        for number in 0..<200 as Range<UInt8> {
            try world.call(world.a) { try $0.send(.binary([number]), on: channel, now: $1) }
            if number == 50 { try world.offer(from: world.b, restartsICE: true) }
            try world.run(for: .milliseconds(20))
        }
        #expect(try world.run(for: .seconds(30)) { world.b.messages(on: "chat").count == 200 })
        #expect(world.b.messages(on: "chat") == (0..<200).map { .binary([$0]) })
        #expect(!world.a.states.contains(.failed) && !world.b.states.contains(.failed))
    }

    @Test func aTranslatorForgetsAndTheConnectionGoesOn() throws {
        let (world, channel) = try connected(seed: 11, .init(isBehindNAT: (true, false)))
        world.a.nat?.rebind()
        try world.call(world.a) { try $0.send(.text([1]), on: channel, now: $1) }
        #expect(try world.run(for: .seconds(60)) { !world.b.messages(on: "chat").isEmpty && world.isConnected })
        try world.call(world.b) { connection, now in
            let channel = try #require(world.b.channel("chat"))
            try connection.send(.text([2]), on: channel, now: now)
        }
        #expect(try world.run(for: .seconds(60)) { world.a.messages(on: "chat") == [.text([2])] })
    }

    @Test func channelsComeAndGo() throws {
        let (world, first) = try connected(seed: 12)
        let theirs = try world.call(world.b) { connection, now in
            var description = DataChannelDescription(label: "theirs")
            description.isOrdered = false
            description.reliability = .retransmissions(3)
            description.subprotocol = "cursor"
            return try connection.openChannel(description, now: now)
        }
        #expect(try world.run(for: .seconds(2)) { world.a.channel("theirs") != nil })
        let name = try #require(world.a.channel("theirs"))
        let seen = try #require(world.a.opened[name])
        #expect(seen.isByPeer && seen.description.subprotocol == "cursor" && !seen.description.isOrdered)
        #expect(seen.description.reliability == .retransmissions(3))
        world.call(world.b) { $0.closeChannel(theirs, now: $1) }
        #expect(try world.run(for: .seconds(2)) { world.a.closed.count == 1 && world.b.closed == [theirs] })
        #expect(world.a.closed == [name])
        try world.call(world.a) { try $0.send(.text([9]), on: first, now: $1) }
        #expect(try world.run(for: .seconds(2)) { world.b.messages(on: "chat") == [.text([9])] })
    }

    @Test func aChannelThatBothKnowOf() throws {
        let world = PeerWorld(seed: 13)
        let description = DataChannelDescription(label: "known")
        for node in [world.a, world.b] {
            _ = try world.call(node) { try $0.openChannel(description, number: 100, now: $1) }
        }
        try world.begin()
        #expect(try world.run(for: .seconds(5)) { world.a.channel("known") != nil && world.b.channel("known") != nil })
        let channel = try #require(world.a.channel("known"))
        try world.call(world.a) { try $0.send(.text([5]), on: channel, now: $1) }
        #expect(try world.run(for: .seconds(2)) { world.b.messages(on: "known") == [.text([5])] })
        #expect(world.b.opened.count == 1)
    }

    @Test func whoWantsNoDataRefusesIt() throws {
        let world = PeerWorld(seed: 14) { _, b in b.takesDataChannels = false }
        let channel = try world.call(world.a) { try $0.openChannel(DataChannelDescription(label: "x"), now: $1) }
        try world.begin()
        try world.run(for: .seconds(2))
        #expect(world.a.closed == [channel] && world.a.opened.isEmpty)
    }

    /// With a slow path, nothing is lost, and the buffer stays within the announced limit.
    @Test func backPressureIsToldOf() throws {
        let (world, channel) = try connected(seed: 15, .init(delay: .milliseconds(40)))
        let message = DataChannelMessage.binary([UInt8](repeating: 1, count: 60_000))
        var sent = 0
        while sent < 400 {
            do {
                try world.call(world.a) { try $0.send(message, on: channel, now: $1) }
                sent += 1
            } catch DataChannelError.bufferFull {
                #expect(world.a.connection.bufferedAmount(of: channel) <= 1 << 20)
                let before = world.a.lows.count
                #expect(try world.run(for: .seconds(10)) { world.a.lows.count > before })
            }
        }
        #expect(try world.run(for: .seconds(60)) { world.b.messages(on: "chat").count == 400 })
        #expect(world.b.messages(on: "chat").allSatisfy { $0 == message })
    }
}
