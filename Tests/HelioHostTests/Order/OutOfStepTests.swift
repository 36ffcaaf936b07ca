import HelioCore
import HelioSession
import Testing

/// Regression tests of event orders that once failed.
@Suite("Out of step")
struct OutOfStepTests {
    private static let shape = CursorShape(
        size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [1, 2, 3, 4])

    private func playing(_ world: NetworkWorld) throws -> RoamingViewer {
        let viewer = world.addViewer()
        viewer.start(world)
        try world.run(for: .seconds(1))
        #expect(viewer.isPlaying)
        return viewer
    }

    @Test("control that is taken while a viewer pauses is known to it at once")
    func permissionInPause() throws {
        let world = NetworkWorld(seed: 1)
        let viewer = try playing(world)
        viewer.setPaused(true, world)
        try world.run(for: .milliseconds(100))
        world.permit(false)
        try world.run(for: .milliseconds(100))
        #expect(viewer.mayDrive == false)
    }

    @Test("control that is taken between the offer and PLAY is known to the viewer as it plays")
    func permissionAtStart() throws {
        // The round trip is 200 ms: the fault occurs at each step of the start.
        for milliseconds in stride(from: 0, to: 1600, by: 50) {
            let world = NetworkWorld(seed: 2)
            let viewer = world.addViewer(.init(oneWay: .milliseconds(100)))
            viewer.start(world)
            try world.run(for: .milliseconds(milliseconds))
            world.permit(false)
            try world.run(for: .seconds(2))
            #expect(viewer.isPlaying && viewer.mayDrive == false, "taken after \(milliseconds) ms")
        }
    }

    @Test("a pointer that changes while a viewer pauses is there when it plays again")
    func cursorInPause() throws {
        let world = NetworkWorld(seed: 3)
        let viewer = try playing(world)
        viewer.setPaused(true, world)
        try world.run(for: .milliseconds(100))
        world.show(Self.shape)
        try world.run(for: .milliseconds(100))
        #expect(viewer.cursor == nil)
        viewer.setPaused(false, world)
        try world.run(for: .milliseconds(100))
        #expect(viewer.cursor == Self.shape)
    }

    @Test("when the slowest viewer leaves, the others' bitrate is suggested within half a second")
    func bitrateAfterLeaving() throws {
        let world = NetworkWorld(seed: 4)
        _ = try playing(world)
        // The bitrate has reached its maximum by then.
        try world.run(for: .seconds(60))
        let before = try #require(world.bitrate)
        let slow = try playing(world)
        // The viewer acknowledges nothing from here on.
        slow.conditions.isUp = false
        try world.run(for: .seconds(4))
        #expect(try #require(world.bitrate).bitsPerSecond * 2 < before.bitsPerSecond)
        slow.conditions.isUp = true
        slow.leave(world)
        try world.run(for: .milliseconds(600))
        #expect(try #require(world.bitrate) >= before)
    }
}
