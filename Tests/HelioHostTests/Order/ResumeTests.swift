import HelioCore
import HelioSession
import Testing

@Suite("Coming back by itself, on virtual time")
struct ResumeTests {
    private static let roundTrips: [Duration] = [
        .milliseconds(2), .milliseconds(20), .milliseconds(50), .milliseconds(100),
    ]

    /// Returns a playing viewer, at an instant that depends on the seed.
    private func playing(_ seed: UInt64, still: Bool = false) throws -> (NetworkWorld, RoamingViewer) {
        let world = NetworkWorld(seed: seed)
        world.framesPerSecond = 10
        world.moves = !still
        let roundTrip = Self.roundTrips[Int(seed % 4)]
        let viewer = world.addViewer(.init(oneWay: roundTrip / 2))
        viewer.start(world)
        try world.run(for: .seconds(2) + .nanoseconds(Int64(world.random.unit() * 2e9)))
        #expect(viewer.isPlaying && viewer.frames > 0)
        return (world, viewer)
    }

    /// The time until the next picture; `nil` if there is none within 3 s.
    private func timeToPicture(_ world: NetworkWorld, _ viewer: RoamingViewer) throws -> Duration? {
        let start = world.now
        let before = viewer.frames
        while viewer.frames == before {
            if world.now - start >= .seconds(3) { return nil }
            try world.run(for: .milliseconds(5))
        }
        return world.now - start
    }

    @Test(
        "after an outage the picture is back within 1 s of the network's return, whatever the phase and the path",
        arguments: [5, 30, 90], [false, true])
    func outage(seconds: Int, still: Bool) throws {
        for seed in UInt64(0)..<16 {
            let (world, viewer) = try playing(seed, still: still)
            viewer.conditions.isUp = false
            // The outage ends at a random time after the named one: which end has noticed it, and in which retry,
            // varies.
            try world.run(for: .seconds(seconds) + .nanoseconds(Int64(world.random.unit() * 1e9)))
            viewer.conditions.isUp = true
            let time = try timeToPicture(world, viewer)
            #expect(time.map { $0 <= .seconds(1) } ?? false, "seed \(seed): \(time.map { "\($0)" } ?? "never")")
            #expect(!viewer.isGone)
        }
    }

    @Test("with another address after the outage it is the same")
    func outageAndAddress() throws {
        for seed in UInt64(100)..<120 {
            let (world, viewer) = try playing(seed)
            viewer.conditions.isUp = false
            try world.run(for: .seconds(30) + .nanoseconds(Int64(world.random.unit() * 1e9)))
            viewer.conditions.isUp = true
            viewer.conditions.address += 1
            let time = try timeToPicture(world, viewer)
            #expect(time.map { $0 <= .seconds(1) } ?? false, "seed \(seed): \(time.map { "\($0)" } ?? "never")")
        }
    }

    @Test("another address without an outage: the picture goes on within 1 s, and signalling works again in 35 s")
    func address() throws {
        for seed in UInt64(200)..<216 {
            let (world, viewer) = try playing(seed)
            viewer.conditions.address += 1
            let time = try timeToPicture(world, viewer)
            #expect(time.map { $0 <= .seconds(1) } ?? false, "seed \(seed): \(time.map { "\($0)" } ?? "never")")
            #expect(viewer.losses == 0, "seed \(seed): the session itself goes on")
            // The viewer's connection is dead, which only a keep-alive shows.
            let shape = CursorShape(
                size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [UInt8(seed & 255), 0, 0, 255])
            world.show(shape)
            world.permit(false)
            try world.run(for: .seconds(35))
            #expect(viewer.isPlaying && viewer.cursor == shape && viewer.mayDrive == false, "seed \(seed)")
        }
    }

    @Test("a connection that the network ends is made anew within 1 s, by the ticket")
    func connectionEnds() throws {
        for seed in UInt64(300)..<320 {
            let (world, viewer) = try playing(seed)
            viewer.reset(world)
            let time = try timeToPicture(world, viewer)
            #expect(time.map { $0 <= .seconds(1) } ?? false, "seed \(seed): \(time.map { "\($0)" } ?? "never")")
            #expect(viewer.losses == 1)
        }
    }

    @Test("a network that comes and goes does not lock out: the ticket is good until the next one has arrived")
    func flapping() throws {
        for seed in UInt64(400)..<412 {
            let (world, viewer) = try playing(seed)
            for _ in 0..<6 {
                viewer.conditions.isUp = false
                try world.run(for: .seconds(6) + .nanoseconds(Int64(world.random.unit() * 1e9)))
                viewer.conditions.isUp = true
                // Long enough for part of the start.
                try world.run(for: .nanoseconds(Int64(world.random.unit() * 8e8)))
            }
            viewer.conditions.isUp = true
            try world.run(for: .seconds(12))
            #expect(viewer.isPlaying, "seed \(seed): \(viewer.over?.message ?? "still trying")")
        }
    }
}
