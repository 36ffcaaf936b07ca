import HelioCore
import HelioMedia
import Testing

@Suite("Text or motion")
struct ContentWatchTests {
    private struct World {
        var watch = ContentWatch()
        var now = Instant.zero + .seconds(50)
        var limit = 60

        /// Shows pictures of which a share changes, at a rate per second.
        mutating func show(_ share: Double, _ rate: Int, _ time: Duration, isScrolled: Bool = false) {
            let end = now + time
            while now < end {
                now = now + .nanoseconds(1_000_000_000 / Int64(min(rate, limit)))
                watch.take(share: share, isScrolled: isScrolled, framesPerSecond: limit, now: now)
            }
        }
    }

    @Test("a video is motion after a second and a half, in a window or on the whole screen", arguments: [0.11, 1.0])
    func video(share: Double) {
        var world = World()
        world.show(share, 24, .milliseconds(1000))
        #expect(world.watch.kind == .text)
        world.show(share, 24, .milliseconds(900))
        #expect(world.watch.kind == .motion)
    }

    @Test("it is so at any limit of the frame rate that the ladder sets", arguments: [60, 30, 24, 15, 10])
    func limits(limit: Int) {
        var world = World(limit: limit)
        world.show(0.5, 60, .seconds(3))
        #expect(world.watch.kind == .motion)
    }

    @Test(
        "typing, a caret, pages that are turned and content that is scrolled as such are text",
        arguments: [(0.001, 60, false), (0.01, 12, false), (1.0, 2, false), (0.9, 60, true)])
    func text(share: Double, rate: Int, isScrolled: Bool) {
        var world = World()
        world.show(share, rate, .seconds(30), isScrolled: isScrolled)
        #expect(world.watch.kind == .text)
    }

    @Test("a short animation is no motion, and a stutter in a video does not end it")
    func hysteresis() {
        var world = World()
        for _ in 0..<20 {
            world.show(1, 60, .milliseconds(500))
            world.now = world.now + .milliseconds(1500)
        }
        #expect(world.watch.kind == .text)
        world.show(1, 30, .seconds(3))
        #expect(world.watch.kind == .motion)
        for _ in 0..<20 {
            world.now = world.now + .milliseconds(700)
            world.show(1, 30, .seconds(1))
            #expect(world.watch.kind == .motion)
        }
    }

    @Test("a video of which a busy machine captures a few pictures only stays motion")
    func busy() {
        var world = World()
        world.show(0.5, 10, .seconds(3))
        #expect(world.watch.kind == .motion)
        for rate in [6, 5, 9, 5, 12, 6] {
            world.show(0.5, rate, .seconds(3))
            #expect(world.watch.kind == .motion)
        }
    }

    @Test("a video that has ended is text once somebody types")
    func end() {
        var world = World()
        world.show(1, 30, .seconds(3))
        world.show(0.001, 8, .seconds(1))
        #expect(world.watch.kind == .motion)
        world.show(0.001, 8, .seconds(3))
        #expect(world.watch.kind == .text)
        world.show(1, 30, .seconds(3))
        world.now = world.now + .seconds(60)
        #expect(world.watch.kind == .motion)
        world.show(0.001, 8, .milliseconds(100))
        #expect(world.watch.kind == .text)
    }
}
