import HelioCore
import HelioMedia
import Testing

/// The controller alone, against a queue in a simulated path. `helio-bench netlab` tests it in a whole session.
@Suite("Congestion controller")
struct CongestionControllerTests {
    @Test(
        "a steady path is filled, and its queue stays short",
        arguments: [(30.0, 10), (10, 30), (6, 60), (2, 50), (0.5, 60)])
    func steady(megabits: Double, roundTrip: Int) {
        var world = CongestionWorld(
            most: .megabits(20), path: .init(capacity: megabits * 1e6, delay: .milliseconds(roundTrip) / 2))
        world.run(.seconds(30))
        let usable = min(megabits, 20) * 1e6
        let use = world.target(from: .seconds(5), to: .seconds(30)) / usable
        #expect(use >= 0.85 && use <= 1.1, "\(use)")
        #expect(world.queue(0.95, from: .seconds(5)) <= .milliseconds(40), "\(world.queue(0.95, from: .seconds(5)))")
    }

    @Test("a fall is followed within 300 ms, and the return within 2 s")
    func step() throws {
        var world = CongestionWorld(most: .megabits(20), path: .init(capacity: 20e6, delay: .milliseconds(15)))
        world.run(.seconds(10))
        #expect(world.controller.target >= .megabits(16), "\(world.controller.target)")
        world.path.capacity = 2e6
        world.run(.milliseconds(300))
        #expect(world.controller.target <= .megabits(4), "\(world.controller.target)")
        world.run(.milliseconds(700))
        #expect(try #require(world.samples.last).queue <= .milliseconds(40))
        world.run(.seconds(9))
        world.path.capacity = 20e6
        world.run(.seconds(2))
        #expect(world.controller.target >= .kilobits(14_400), "\(world.controller.target)")
    }

    @Test("another route with more delay costs the rate for no more than 3 s")
    func route() {
        var world = CongestionWorld(most: .megabits(20), path: .init(capacity: 10e6, delay: .milliseconds(20)))
        world.run(.seconds(10))
        let before = world.target(from: .seconds(6), to: .seconds(10))
        world.path.delay = .milliseconds(120)
        world.controller.setRoundTrip(.milliseconds(240))
        world.run(.seconds(3))
        #expect(Double(world.controller.target.bitsPerSecond) >= before * 0.9, "\(world.controller.target)")
    }

    @Test("loss without a queue is not taken for congestion", arguments: [0.01, 0.05, 0.1, 0.2], [20, 100, 200])
    func loss(share: Double, roundTrip: Int) {
        var world = CongestionWorld(
            most: .megabits(20),
            path: .init(capacity: 20e6, delay: .milliseconds(roundTrip) / 2, loss: share))
        world.run(.seconds(30))
        let use = world.target(from: .seconds(8), to: .seconds(30)) / 20e6
        #expect(use >= 0.7, "\(use)")
    }

    @Test("a queue that is too short for delay to tell is told by loss")
    func shallow() {
        var world = CongestionWorld(
            most: .megabits(20), path: .init(capacity: 5e6, delay: .milliseconds(15), queue: .milliseconds(4)))
        world.run(.seconds(30))
        let use = world.target(from: .seconds(8), to: .seconds(30)) / 5e6
        #expect(use >= 0.8 && use <= 1.15, "\(use)")
    }

    @Test("an application that sends little learns what the path carries, and keeps it")
    func applicationLimited() {
        var world = CongestionWorld(
            most: .megabits(20), path: .init(capacity: 10e6, delay: .milliseconds(15)), offered: 200_000)
        world.run(.seconds(30))
        let target = world.target(from: .seconds(15), to: .seconds(30))
        #expect(target >= 5e6 && target <= 11e6, "\(target)")
        #expect(world.padding < 30 * 200_000 / 8, "\(world.padding) bytes of padding")
    }

    @Test("while a queue stands there is no room for a keyframe; soon after the last word on it there is")
    func overfull() throws {
        var world = CongestionWorld(most: .megabits(20), path: .init(capacity: 20e6, delay: .milliseconds(15)))
        world.run(.seconds(10))
        #expect(!world.controller.isOverfull(now: world.now))
        world.path.capacity = 1e6
        world.run(.milliseconds(400))
        #expect(world.controller.isOverfull(now: world.now))
        let ends = try #require(world.controller.overfullEnds)
        #expect(ends - world.now <= .milliseconds(250))
        #expect(!world.controller.isOverfull(now: ends))
        world.run(.seconds(3))
        #expect(!world.controller.isOverfull(now: world.now))
    }

    @Test("silence lowers the rate step by step, and never below the least")
    func silence() {
        var world = CongestionWorld(most: .megabits(20), path: .init(capacity: 20e6, delay: .milliseconds(15)))
        world.run(.seconds(5))
        let before = world.controller.target
        world.path.loss = 1
        world.path.queue = .zero
        world.run(.seconds(3))
        #expect(world.controller.target < before)
        #expect(world.controller.target >= .kilobits(150))
    }
}
