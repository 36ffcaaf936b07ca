import HelioCore
import HelioHost
import HelioRemote
import HelioSession
import HelioSimulation
import Testing

@Suite("A session on bad networks")
struct SessionLossTests {
    /// The loss, the longest allowed gap between frames, and the least share of frames that must arrive.
    @Test(
        "the picture recovers and no frame is ever broken",
        arguments: [
            ("1 %", LinkConditions.lossy1, Duration.milliseconds(250), 0.98),
            ("5 %", .lossy5, .milliseconds(400), 0.95), ("20 %", .lossy20, .milliseconds(1500), 0.5),
            ("bursts", .burst, .milliseconds(1500), 0.5), ("wifi", .wifi, .milliseconds(250), 0.98),
            ("shuffled", .shuffled, .milliseconds(250), 0.98),
        ])
    func recovers(name: String, conditions: LinkConditions, gap: Duration, share: Double) throws {
        for seed in UInt64(1)...3 {
            var world = SessionWorld(conditions, seed: seed)
            try world.run(.seconds(20))
            #expect(world.viewer.isPlaying, "\(name), seed \(seed)")
            #expect(world.viewer.broken == 0, "\(name), seed \(seed)")
            #expect(world.viewer.longestGap <= gap, "\(name), seed \(seed): stood for \(world.viewer.longestGap)")
            let sent = Double(world.host.encoder.nextIndex)
            #expect(
                Double(world.viewer.frames) >= sent * share, "\(name), seed \(seed): \(world.viewer.frames) of \(sent)")
        }
    }

    @Test("the last frame before a still screen, lost whole, is shown all the same", arguments: [10, 100, 300, 900])
    func lostTail(milliseconds: Int) throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)))
        try world.run(.seconds(2))
        world.host.losesMedia = true
        try world.run(.milliseconds(40))
        world.host.isStill = true
        try world.run(.milliseconds(milliseconds))
        let newest = world.host.encoder.nextIndex - 1
        #expect(try #require(world.viewer.lastIndex) < newest)
        world.host.losesMedia = false
        try world.run(.milliseconds(max(100, milliseconds * 3)))
        #expect(try #require(world.viewer.lastIndex) >= newest)
        #expect(world.viewer.broken == 0)
    }

    @Test(
        "a viewer whose first reports are lost repeats them soon: the host does not know where to send before",
        arguments: [
            (Duration.milliseconds(30), Duration.milliseconds(160)), (.milliseconds(100), .milliseconds(240)),
            (.milliseconds(250), .milliseconds(400)),
        ])
    func lostBeginning(cut: Duration, within: Duration) throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(5)))
        world.stepper.network.bToA.partitions.append(Instant.zero..<(Instant.zero + cut))
        try world.run(cut)
        #expect(world.viewer.isPlaying && world.viewer.frames == 0)
        try world.run(within - cut)
        #expect(world.viewer.frames > 0)
        #expect(world.viewer.broken == 0)
    }

    @Test("heavy loss reaches the encoder within three seconds, and the viewer hears what is coded for (rows 16, 18)")
    func lossReachesTheEncoder() throws {
        var world = SessionWorld(.lossy20)
        try world.run(.seconds(3))
        let first = try #require(world.host.bitrates.first)
        #expect(first < .megabits(20))
        try world.run(.seconds(7))
        #expect(try #require(world.host.bitrates.last) < .megabits(16))
        #expect(world.viewer.terms.map(\.coded).contains(first))
        #expect(world.viewer.terms.allSatisfy { $0.bitrate == .megabits(20) })
    }

    @Test("on a clean network each frame takes the network's own time and no more")
    func addsNothing() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(2)))
        try world.run(.seconds(10))
        #expect(world.viewer.frames > 500)
        // Without the first keyframes, which the pacer spreads.
        let late = world.viewer.latencies.dropFirst(5).filter { $0 > .milliseconds(2) + .microseconds(10) }
        #expect(late.isEmpty)
    }

    @Test("RTP sequence numbers wrap again and again without a frame lost (row 9)")
    func wraps() throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(1)))
        world.host.encoder.sliceBytes = 30_000
        try world.run(.seconds(45))
        let packets = world.stepper.network.aToB.counts.sent
        #expect(packets > 2 * 65_536)
        #expect(world.viewer.broken == 0)
        // Without the frames before the path's rate was known, and those in transit.
        #expect(UInt64(world.viewer.frames) >= world.host.encoder.nextIndex - 10)
    }

    @Test("a partition of three seconds is survived, and the picture is back within a second")
    func partition() throws {
        var world = SessionWorld(.wifi)
        world.stepper.network.partition(.zero + .seconds(5)..<(.zero + .seconds(8)))
        try world.run(.seconds(8))
        let before = world.viewer.frames
        try world.run(.seconds(1))
        #expect(world.viewer.frames > before)
        #expect(world.viewer.broken == 0)
        #expect(world.viewer.ended == nil)
    }

    @Test("a vanished viewer is noticed within 5 s, and its keys are let go")
    func vanishedViewer() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        world.viewer.send(.key(usage: 4, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(50))
        #expect(world.host.injected == [.key(usage: 4, isDown: true)])
        world.stepper.network.partition(world.now..<(world.now + .seconds(60)))
        world.pipe.isCut = true
        try world.run(.milliseconds(2600))
        #expect(
            world.host.injected == [.key(usage: 4, isDown: true), .stopRepeating, .key(usage: 4, isDown: false)])
        try world.run(.milliseconds(2500))
        let left = world.host.events.contains {
            if case .left(_, _, _, let reason) = $0 { reason.contains("vanished") } else { false }
        }
        #expect(left)
    }

    @Test("a vanished host is noticed within 5 s, and said")
    func vanishedHost() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        world.stepper.network.partition(world.now..<(world.now + .seconds(60)))
        world.pipe.isCut = true
        try world.run(.milliseconds(5100))
        #expect(world.viewer.ended?.code == .unreachable)
    }

    @Test("input arrives once and in order on a lossy network, the last move included", arguments: [0.01, 0.05, 0.2])
    func input(loss: Double) throws {
        var world = SessionWorld(.lossy(loss), seed: 11)
        try world.run(.seconds(1))
        var sent: [InjectedInput] = []
        for number in 0..<50 {
            let usage = UInt16(4 + number % 26)
            for isDown in [true, false] {
                world.viewer.send(.key(usage: usage, modifiers: [], isDown: isDown), now: world.now)
                sent.append(.key(usage: usage, isDown: isDown))
            }
            try world.run(.milliseconds(7))
        }
        world.viewer.send(.pointerMove(x: 0.25, y: 0.75), now: world.now)
        try world.run(.seconds(2))
        #expect(world.host.injected.filter { if case .key = $0 { true } else { false } } == sent)
        #expect(world.host.injected.last == .movePointer(x: 480, y: 810))
    }

    @Test("a viewer that may only watch injects nothing")
    func watchOnly() throws {
        var world = SessionWorld(allowsControl: false)
        try world.run(.seconds(1))
        world.viewer.send(.button(.left, isDown: true, x: 0.5, y: 0.5), now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        #expect(world.host.injected.isEmpty)
    }

    @Test("the host's good-bye ends the viewer, and the viewer's leaves the host in peace")
    func goodbye() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        world.host.host.stop(now: world.now)
        try world.run(.milliseconds(100))
        world.host.tick(now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.viewer.ended != nil)

        var other = SessionWorld(seed: 5)
        try other.run(.seconds(1))
        other.viewer.leave(now: other.now)
        try other.run(.milliseconds(100))
        let left = other.host.events.contains { if case .left = $0 { true } else { false } }
        #expect(left)
    }
}
