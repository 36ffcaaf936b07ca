import HelioCore
import HelioHost
import HelioRTP
import HelioSession
import HelioSimulation
import Testing

/// The handling of permanently lost frames by a host and native viewers: a repair picture continues from a frame that
/// the viewer has.
@Suite("Repair pictures")
struct RepairTests {
    private static let calm = LinkConditions(delay: .milliseconds(10))

    /// Loses the next frames, including all retransmissions.
    private func loseFrame(_ world: inout SessionWorld, _ frames: Int = 1) throws {
        world.host.framesToLose = frames
        try world.run(.milliseconds(100))
        #expect(!world.host.lostFrames.isEmpty && world.host.framesToLose == 0)
    }

    @Test("a frame that is lost for good is made good by one repair picture, and by no keyframe")
    func lostFrame() throws {
        var world = SessionWorld(Self.calm)
        try world.run(.seconds(2))
        let keyframes = world.host.keyframes
        try loseFrame(&world)
        let last = try #require(world.viewer.lastIndex)
        try world.run(.seconds(1))
        #expect(world.host.repairsAsked == [last])
        #expect(world.host.repairs == 1)
        #expect(world.viewer.repairs == 1)
        #expect(world.viewer.broken == 0)
        #expect(world.host.keyframes == keyframes)
        #expect(world.viewer.longestGap < .milliseconds(400))
        #expect(try #require(world.viewer.lastIndex) + 3 >= world.host.encoder.nextIndex)
    }

    @Test("a repair picture that is lost for good itself is asked for again", arguments: [1, 3])
    func lostRepair(count: Int) throws {
        var world = SessionWorld(Self.calm)
        try world.run(.seconds(2))
        let keyframes = world.host.keyframes
        world.host.repairsToLose = count
        try loseFrame(&world)
        try world.run(.seconds(3))
        #expect(world.host.repairs >= count + 1)
        #expect(world.viewer.repairs == 1)
        #expect(world.viewer.broken == 0)
        if count == 1 { #expect(world.host.keyframes == keyframes) }
        #expect(try #require(world.viewer.lastIndex) + 3 >= world.host.encoder.nextIndex)
    }

    @Test("where repairs don't come, a keyframe is asked for after about a second")
    func noRepair() throws {
        var world = SessionWorld(Self.calm)
        try world.run(.seconds(2))
        let keyframes = world.host.keyframes
        world.host.ignoresRepairs = true
        try loseFrame(&world)
        try world.run(.milliseconds(700))
        #expect(world.host.keyframes == keyframes)
        #expect(!world.host.repairsAsked.isEmpty)
        try world.run(.seconds(1))
        #expect(world.host.keyframes == keyframes + 1)
        #expect(world.viewer.broken == 0)
        #expect(try #require(world.viewer.lastIndex) + 3 >= world.host.encoder.nextIndex)
    }

    @Test("an encoder without repair pictures gives a keyframe at once")
    func keyframeInstead() throws {
        var world = SessionWorld(Self.calm)
        world.host.givesRepairs = false
        try world.run(.seconds(2))
        let keyframes = world.host.keyframes
        try loseFrame(&world)
        try world.run(.milliseconds(400))
        #expect(world.host.keyframes == keyframes + 1)
        #expect(world.viewer.broken == 0)
        #expect(try #require(world.viewer.lastIndex) + 3 >= world.host.encoder.nextIndex)
    }

    @Test("on bad networks no frame is broken, and keyframes are few", arguments: [UInt64(1), 2])
    func badNetworks(seed: UInt64) throws {
        for conditions in [LinkConditions.lossy20, .burst, .mobile, .shuffled] {
            var world = SessionWorld(conditions, seed: seed)
            var random = SeededGenerator(seed: seed)
            for _ in 0..<8 {
                world.host.framesToLose = Int.random(in: 0...2, using: &random)
                world.host.repairsToLose = Int.random(in: 0...1, using: &random)
                try world.run(.seconds(1))
            }
            #expect(world.viewer.broken == 0)
            #expect(world.viewer.frames > 80)
            #expect(world.host.keyframes <= 10)
        }
    }

    // MARK: Guests' reports

    /// Sends frames to the host's viewers at sixty a second, with a repair picture on request.
    private struct Screen {
        let world: GuestWorld
        var encoder = TestEncoder(seed: 3)
        var timestamps: [UInt32] = []
        var asked: [UInt64] = []
        var keyframes = 0

        init(_ world: GuestWorld) { self.world = world }

        mutating func show(_ frames: Int, each: (inout Self) -> Void = { _ in }) {
            for _ in 0..<frames {
                let repairs = world.takeRepairs()
                asked += repairs
                let isKeyframe = !world.takeKeyframes().isEmpty
                if isKeyframe { keyframes += 1 }
                timestamps.append(MediaClock.timestamp(world.now))
                for slice in encoder.frame(
                    keyframe: isKeyframe, repairsSince: isKeyframe ? nil : repairs.min(), now: world.now)
                {
                    world.tell(.slice(slice))
                }
                each(&self)
                world.pass(.microseconds(16_667))
            }
            asked += world.takeRepairs()
        }
    }

    @Test("of two viewers that lost frames, one repair picture helps both; a third goes on without")
    func twoViewers() throws {
        let world = GuestWorld()
        let guests = [try world.watch(), try world.watch(), try world.watch()]
        var screen = Screen(world)
        screen.show(60)
        let keyframes = screen.keyframes
        world.select(screen.timestamps[57], guests[0])
        world.select(screen.timestamps[50], guests[1])
        // The second request is within the minimum spacing: both wait for the next picture.
        let before = guests[2].bytes
        screen.show(10)
        #expect(screen.asked.last == 50)
        #expect(screen.asked.count <= 2)
        #expect(screen.keyframes == keyframes)
        #expect(guests[2].bytes > before)
        #expect(world.host.statistics.drops["media-unknown-picture"] == nil)
    }

    @Test("timestamps of no frame, of one long ago or to come cost nothing and are counted")
    func forged() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        var screen = Screen(world)
        // More frames than are remembered, before a silent viewer is removed.
        screen.show(280)
        let old = screen.timestamps[10]
        let newest = screen.timestamps[279]
        for timestamp in [0, .max, old, newest &+ 1, newest &+ 90_000] as [UInt32] {
            world.select(timestamp, guest)
        }
        screen.show(10)
        #expect(screen.asked.isEmpty)
        #expect(world.host.statistics.drops["media-unknown-picture"] == 5)
    }

    @Test("a storm of requests costs a picture in a while, whatever frame they name")
    func storm() throws {
        let world = GuestWorld()
        let guests = [try world.watch(), try world.watch()]
        var screen = Screen(world)
        screen.show(120)
        let keyframes = screen.keyframes
        var random = SeededGenerator(seed: 5)
        screen.show(600) { screen in
            for guest in guests {
                let place = screen.timestamps.count - Int.random(in: 1...250, using: &random)
                if place >= 0 { world.select(screen.timestamps[place], guest) }
            }
        }
        // In ten seconds, each viewer gets at most one in 80 ms, and all together at most one in 50.
        #expect(screen.asked.count <= 200, "\(screen.asked.count)")
        #expect(screen.keyframes - keyframes <= 11)
    }

    @Test("where keyframes come in place of repairs, they are one a second in the long run")
    func stormOfKeyframes() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        var encoder = TestEncoder(seed: 3)
        var keyframes = 0
        var timestamps: [UInt32] = []
        for _ in 0..<660 {
            let isKeyframe = !world.takeKeyframes().isEmpty || !world.takeRepairs().isEmpty
            if isKeyframe { keyframes += 1 }
            timestamps.append(MediaClock.timestamp(world.now))
            for slice in encoder.frame(keyframe: isKeyframe, now: world.now) { world.tell(.slice(slice)) }
            if timestamps.count > 60 { world.select(timestamps[timestamps.count - 2], guest) }
            world.pass(.microseconds(16_667))
        }
        // Eleven seconds, two at once at the start, and one for joining.
        #expect((8...14).contains(keyframes), "\(keyframes)")
    }
}
