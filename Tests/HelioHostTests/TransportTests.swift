import HelioCore
import HelioHost
import HelioMedia
import HelioRemote
import HelioSession
import HelioSimulation
import Testing

/// Media and input inside the signalling connection when UDP fails (row 14).
@Suite("Media over TCP where UDP fails")
struct TransportTests {
    private static let always = Instant.zero..<(.zero + .seconds(3600))

    /// The direction in which no datagram gets through.
    enum Blocked: CaseIterable {
        case toViewer, toHost, both
    }

    private func world(
        _ blocked: Blocked, from start: Duration = .zero, until end: Duration = .seconds(3600)
    ) -> SessionWorld {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)))
        let window = Instant.zero + start..<(.zero + end)
        if blocked != .toHost { world.stepper.network.aToB.partitions.append(window) }
        if blocked != .toViewer { world.stepper.network.bToA.partitions.append(window) }
        return world
    }

    private func hostChanges(_ world: borrowing SessionWorld) -> [(StreamTransport, TransportReason)] {
        world.host.events.compactMap {
            if case .transport(_, _, _, let transport, let reason) = $0 { (transport, reason) } else { nil }
        }
    }

    private func press(_ usage: UInt16, _ world: borrowing SessionWorld) {
        for isDown in [true, false] {
            world.viewer.send(.key(usage: usage, modifiers: [], isDown: isDown), now: world.now)
        }
    }

    @Test(
        "UDP blocked from the start: the picture is there within 1.5 s, and input arrives", arguments: Blocked.allCases)
    func blocked(_ blocked: Blocked) throws {
        var world = world(blocked)
        try world.run(.milliseconds(500))
        // Pressed before the failure was detected: it is not lost.
        press(5, world)
        try world.run(.milliseconds(1000))
        #expect(world.viewer.isPlaying)
        #expect(world.viewer.frames > 10)
        #expect(world.viewer.transports.map(\.transport) == [.tcp] && world.viewer.transports.first?.reason == .blocked)
        #expect(hostChanges(world).map(\.0) == [.tcp] && hostChanges(world).first?.1 == .blocked)
        press(4, world)
        try world.run(.milliseconds(100))
        let keys: [InjectedInput] = [5, 5, 4, 4].enumerated().map { .key(usage: $1, isDown: $0.isMultiple(of: 2)) }
        #expect(world.host.injected == keys)

        // The stream continues at the connection's rate, without missing frames.
        try world.run(.seconds(30))
        #expect(world.viewer.broken == 0 && world.viewer.longestGap <= .milliseconds(250), "\(world.viewer.longestGap)")
        #expect(world.viewer.frames >= 30 * 60)
        #expect(world.viewer.ended == nil)
        #expect(world.viewer.session.statistics.transport == .tcp)
        #expect(world.host.host.statistics.viewers.first?.transport == .tcp)
        #expect(try #require(world.host.host.statistics.viewers.first?.suggestedBitrate) > .megabits(10))
        // The host's replies use the same connection.
        #expect(world.viewer.control?.statistics.roundTrip != nil)
    }

    @Test("on a connection nothing is sent twice, and no parity")
    func noRepair() throws {
        var world = world(.both)
        try world.run(.seconds(20))
        let viewer = try #require(world.host.host.statistics.viewers.first)
        #expect(viewer.stream?.retransmittedPackets == 0)
        #expect(world.viewer.session.statistics.video.packetsLost == 0)
        #expect(world.viewer.session.statistics.video.packetsRestored == 0)
    }

    @Test("UDP blocked later: TCP after two seconds of silence, at half of the bitrate", arguments: Blocked.allCases)
    func blockedLater(_ blocked: Blocked) throws {
        var world = world(blocked, from: .seconds(10))
        try world.run(.seconds(10))
        let before = try #require(world.host.host.statistics.viewers.first?.suggestedBitrate)
        #expect(world.viewer.transports.isEmpty)
        // If only datagrams to the host are lost, the host detects it and notifies the viewer.
        let end = world.now + .milliseconds(blocked == .toHost ? 3300 : 2700)
        while hostChanges(world).isEmpty, world.now < end { try world.run(.milliseconds(10)) }
        try world.run(.milliseconds(10))
        let change = try #require(world.viewer.transports.first)
        #expect(change.transport == .tcp && change.reason == .silent)
        #expect(hostChanges(world).first?.1 == .silent)
        let after = try #require(world.host.host.statistics.viewers.first?.suggestedBitrate)
        #expect(after.bitsPerSecond <= before.bitsPerSecond * 6 / 10, "\(after) after \(before)")
        let frames = world.viewer.frames
        try world.run(.seconds(5))
        #expect(world.viewer.frames > frames + 250)
        #expect(world.viewer.broken == 0 && world.viewer.ended == nil)
    }

    @Test("UDP that loses 40 % for good is left, and pictures go on", arguments: 1...5)
    func lossy(_ seed: UInt64) throws {
        var world = SessionWorld(.lossy(0.4), seed: seed)
        try world.run(.seconds(20))
        #expect(world.viewer.isPlaying && world.viewer.broken == 0)
        #expect(world.viewer.transports.first?.transport == .tcp)
        let frames = world.viewer.frames
        try world.run(.seconds(20))
        #expect(world.viewer.frames >= frames + 20 * 58, "\(world.viewer.transports)")
        #expect(world.viewer.transports.count == 1, "a path that loses 40 % does not carry ten seconds of answers")
    }

    @Test("a path that loses 40 % of everything stays with UDP, where parity carries pictures yet", arguments: 1...3)
    func lossyConnection(_ seed: UInt64) throws {
        var world = SessionWorld(.lossy(0.4), seed: seed)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            // On the connection, a loss delays its retransmission and everything behind it.
            world.pipe.delay = .milliseconds(Int.random(in: 0..<10, using: &random) < 3 ? 1 : 250)
            try world.run(.milliseconds(100))
        }
        #expect(world.viewer.transports.isEmpty, "\(world.viewer.transports)")
        #expect(world.viewer.frames > 40 * 45 && world.viewer.broken == 0 && world.viewer.ended == nil)
    }

    @Test("a connection that turns out to be worse than UDP with its losses is left, and for longer each time")
    func stalled() throws {
        var world = SessionWorld(.lossy(0.4), seed: 2)
        try world.run(.seconds(15))
        #expect(world.viewer.transports.map(\.reason) == [.lossy])
        world.pipe.rate = .kilobits(4)
        try world.run(.seconds(25))
        #expect(world.viewer.transports.map(\.reason) == [.lossy, .stalled])
        let frames = world.viewer.frames
        try world.run(.seconds(20))
        #expect(world.viewer.transports.count == 2, "\(world.viewer.transports)")
        #expect(world.viewer.frames > frames + 20 * 30 && world.viewer.broken == 0 && world.viewer.ended == nil)
    }

    @Test("a bad path that repair mends stays with UDP", arguments: [0.05, 0.1, 0.2])
    func mended(loss: Double) throws {
        for seed in UInt64(1)...2 {
            var world = SessionWorld(.lossy(loss), seed: seed)
            try world.run(.seconds(15))
            #expect(world.viewer.transports.isEmpty, "seed \(seed): \(world.viewer.transports)")
        }
    }

    @Test("a still screen is not taken for silence", arguments: [0.0, 0.2])
    func still(loss: Double) throws {
        var world = SessionWorld(.lossy(loss), seed: 4)
        world.host.isStill = true
        try world.run(.seconds(120))
        #expect(world.viewer.transports.isEmpty && world.viewer.ended == nil)
    }

    @Test("an outage of all the network is none of UDP's: nothing changes")
    func outage() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)))
        try world.run(.seconds(3))
        // The connection has the same delay.
        world.stepper.network.partition(world.now..<(world.now + .seconds(4)))
        world.pipe.delay = .seconds(4)
        try world.run(.seconds(4))
        world.pipe.delay = .milliseconds(1)
        try world.run(.seconds(20))
        #expect(world.viewer.transports.isEmpty && world.viewer.ended == nil)
    }

    @Test("UDP that works again is gone back to after ten seconds, by itself, with no frame broken")
    func returns() throws {
        var world = world(.both, until: .seconds(15))
        try world.run(.seconds(14))
        #expect(world.viewer.transports.map(\.transport) == [.tcp])
        try world.run(.seconds(16))
        #expect(world.viewer.transports.map(\.transport) == [.tcp, .udp])
        let back = try #require(world.viewer.transports.last)
        #expect(back.reason == .carries && back.at >= .zero + .seconds(23), "\(back.at)")
        #expect(hostChanges(world).last?.0 == .udp)
        press(4, world)
        try world.run(.seconds(10))
        #expect(world.host.injected == [.key(usage: 4, isDown: true), .key(usage: 4, isDown: false)])
        #expect(world.viewer.broken == 0)
        #expect(world.viewer.longestGap <= .milliseconds(250), "\(world.viewer.longestGap)")
        #expect(world.viewer.session.statistics.transport == .udp)
    }

    @Test("a return to UDP that takes longer than the connection costs no rate: its delay is not a queue")
    func returnsAtTheRate() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(30)))
        world.stepper.network.partition(Instant.zero..<(.zero + .seconds(3)))
        while world.viewer.transports.count < 2, world.now < .zero + .seconds(30) { try world.run(.milliseconds(50)) }
        #expect(world.viewer.transports.map(\.transport) == [.tcp, .udp])
        let before = try #require(world.host.host.statistics.viewers.first?.suggestedBitrate)
        #expect(before > .megabits(10), "\(before)")
        var least = before
        for _ in 0..<100 {
            try world.run(.milliseconds(50))
            least = min(least, try #require(world.host.host.statistics.viewers.first?.suggestedBitrate))
        }
        #expect(least.bitsPerSecond * 10 >= before.bitsPerSecond * 8, "\(least) after \(before)")
        #expect(world.viewer.broken == 0)
    }

    @Test("a path that comes and goes is damped: each return that fails doubles the time until the next")
    func damped() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)))
        world.host.framesPerSecond = 10
        // UDP carries the small probes and answers but no media: the switch back is tried, and fails each time.
        try world.run(.seconds(1))
        var returns: [Instant] = []
        for _ in 0..<1200 {
            world.host.losesMedia = world.host.host.statistics.viewers.first?.transport == .udp
            try world.run(.milliseconds(500))
            if let last = world.viewer.transports.last, last.transport == .udp, returns.last != last.at {
                returns.append(last.at)
            }
        }
        #expect(returns.count >= 3 && returns.count <= 7, "\(returns)")
        let waits = zip(returns, returns.dropFirst()).map { $1 - $0 }
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 > $0 }, "\(waits)")
        #expect(world.viewer.ended == nil && world.viewer.broken == 0)
    }

    @Test("a viewer that is to use TCP does so at once, and one that is not to does not")
    func chosen() throws {
        var tcp = SessionWorld(LinkConditions(delay: .milliseconds(5)), transport: .tcp)
        try tcp.run(.seconds(60))
        #expect(tcp.viewer.transports.map(\.transport) == [.tcp])
        #expect(tcp.viewer.transports.first.map { $0.at <= .zero + .milliseconds(50) } == true)
        #expect(tcp.viewer.frames > 3500 && tcp.viewer.broken == 0)

        var udp = SessionWorld(LinkConditions(delay: .milliseconds(5)), transport: .udp)
        udp.stepper.network.partition(Self.always)
        try udp.run(.seconds(6))
        #expect(udp.viewer.transports.isEmpty)
        #expect(udp.viewer.ended?.code == .unreachable)
    }

    @Test("a narrow connection: the rate follows it, the delay stays small, and little is ever unsent")
    func narrow() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)), transport: .tcp)
        world.pipe.rate = .megabits(3)
        world.pipe.delay = .milliseconds(15)
        try world.run(.seconds(30))
        #expect(world.viewer.broken == 0 && world.viewer.ended == nil)
        let suggested = try #require(world.host.host.statistics.viewers.first?.suggestedBitrate)
        #expect(suggested < .kilobits(3500) && suggested > .kilobits(1500), "\(suggested)")
        let late = world.viewer.latencies.suffix(600).sorted()
        #expect(late[late.count * 95 / 100] < .milliseconds(150), "\(late[late.count * 95 / 100])")
    }

    @Test("a viewer that reads nothing: what waits for it is bounded, and it is put out after ten seconds")
    func readsNothing() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)), transport: .tcp)
        try world.run(.seconds(3))
        #expect(world.viewer.transports.map(\.transport) == [.tcp])
        world.host.isStuck = true
        try world.run(.seconds(4))
        #expect(world.host.unread < 256 << 10, "\(world.host.unread) bytes")
        try world.run(.seconds(8))
        #expect(world.host.host.held["sessions"] == 0)
        #expect(world.host.unread < 256 << 10, "\(world.host.unread) bytes")
    }

    @Test("frames on a connection that has not agreed on them are dropped and counted, whoever sends them")
    func uninvited() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        let frame: [UInt8] = [0x24, 0, 0, 8, 0x80, 201, 0, 1, 0, 0, 0, 1]
        // Interleaved media from a viewer that uses UDP, and from a stranger.
        world.host.host.handle(.received(HostPeer.connection, frame), now: world.now)
        #expect(world.host.host.statistics.drops["interleaved-media"] == 1)
        try world.run(.seconds(1))
        #expect(world.viewer.ended == nil)
        world.host.host.handle(.connected(ConnectionID(9), address: "10.0.0.9"), now: world.now)
        for _ in 0..<40 { world.host.host.handle(.received(ConnectionID(9), frame), now: world.now) }
        #expect(world.host.host.statistics.drops["interleaved-media"] == 33)
        #expect(!world.host.host.knows(ConnectionID(9)), "a stranger's frames are messages as any")
    }

    @Test("a viewer's junk frames are dropped, and another viewer's control is not reached by them")
    func junk() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)), transport: .tcp)
        try world.run(.seconds(1))
        let host = world.host.host
        let before = host.statistics.drops
        for channel in UInt8(0)...3 {
            for size in [0, 1, 3, 4, 8, 60, 2048, 2049, 65_535] {
                var frame: [UInt8] = [0x24, channel, UInt8(size >> 8), UInt8(size & 0xFF)]
                frame += [UInt8](repeating: 200, count: size)
                host.handle(.received(HostPeer.connection, frame), now: world.now)
            }
        }
        #expect(host.statistics.drops["interleaved-media", default: 0] >= before["interleaved-media", default: 0] + 25)
        let frames = world.viewer.frames
        try world.run(.seconds(1))
        #expect(world.viewer.frames > frames + 50 && world.viewer.ended == nil)
    }

    @Test("the port for input blocked alone: it goes inside the connection, nothing typed is lost, media stay")
    func controlBlocked() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)))
        world.host.losesControl = true
        try world.run(.milliseconds(500))
        press(4, world)
        try world.run(.seconds(6))
        #expect(world.viewer.controlInside == 1 && world.viewer.transports.isEmpty)
        #expect(world.host.injected == [.key(usage: 4, isDown: true), .key(usage: 4, isDown: false)])
        let before = world.now
        press(5, world)
        try world.run(.milliseconds(15))
        #expect(world.host.injected.count == 4, "\(world.now - before)")
        try world.run(.seconds(20))
        #expect(world.viewer.broken == 0 && world.viewer.frames > 1500 && world.viewer.controlInside == 1)
        #expect(world.viewer.session.statistics.drops.isEmpty)
        #expect(world.host.host.statistics.drops.keys.allSatisfy { $0 == "media-before-first-report" })
    }

    @Test("blocked in the middle, it goes inside; when media have gone over TCP and back, it is by UDP again")
    func controlBlockedLater() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)))
        try world.run(.seconds(10))
        world.host.losesControl = true
        try world.run(.seconds(8))
        #expect(world.viewer.controlInside == 1)
        world.host.losesControl = false
        let away = world.now..<(world.now + .seconds(5))
        world.stepper.network.aToB.partitions.append(away)
        world.stepper.network.bToA.partitions.append(away)
        try world.run(.seconds(60))
        #expect(world.viewer.transports.map(\.transport) == [.tcp, .udp])
        var byUDP = 0
        world.host.tap = { tag, _ in if tag == HostPeer.controlTag { byUDP += 1 } }
        press(6, world)
        try world.run(.milliseconds(100))
        #expect(byUDP > 0 && world.viewer.controlInside == 1 && world.host.injected.count == 2)
    }

    @Test("losses alone never send input over TCP", arguments: [0.05, 0.2])
    func controlLossy(share: Double) throws {
        for seed in UInt64(1)...2 {
            var world = SessionWorld(.lossy(share), seed: seed)
            world.host.isStill = true
            try world.run(.seconds(120))
            #expect(world.viewer.controlInside == 0 && world.viewer.ended == nil)
        }
    }

    @Test("a viewer that is to use UDP alone asks for nothing else")
    func controlBlockedUDPAlone() throws {
        var world = SessionWorld(transport: .udp)
        world.host.losesControl = true
        try world.run(.seconds(20))
        #expect(world.viewer.controlInside == 0 && world.viewer.ended == nil)
    }
}
