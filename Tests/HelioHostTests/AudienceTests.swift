import HelioCore
import HelioHost
import HelioMedia
import HelioSession
import HelioSimulation
import Testing

/// A fast viewer beside a slow one: neither degrades the other.
@Suite("Viewers on paths that differ much")
struct AudienceTests {
    /// A rate estimate may slightly exceed a path's 1 Mbit/s.
    private static let hardlyMore = Bitrate.kilobits(1300)

    /// The frames and bytes that a single viewer with a 20 Mbit/s path receives in ten seconds.
    private func alone(_ policy: SlowViewerPolicy) -> (frames: Int, bytes: Int) {
        let world = AudienceWorld(policy)
        let fast = world.add(.megabits(20))
        world.run(.seconds(6))
        return measure(fast, world)
    }

    private func measure(_ member: AudienceWorld.Member, _ world: AudienceWorld) -> (frames: Int, bytes: Int) {
        let (frames, bytes) = (member.viewer.frames, member.bytes)
        world.run(.seconds(10))
        return (member.viewer.frames - frames, member.bytes - bytes)
    }

    @Test(
        "beside one at 1 Mbit/s a fast viewer keeps its frames and its rate",
        arguments: [SlowViewerPolicy.secondEncode, .refresh])
    func beside(policy: SlowViewerPolicy) throws {
        let single = alone(policy)
        let world = AudienceWorld(policy)
        let fast = world.add(.megabits(20))
        let slow = world.add(.megabits(1))
        world.run(.seconds(5))
        let before = slow.viewer.frames
        let both = measure(fast, world)
        #expect(both.frames * 100 >= single.frames * 95, "\(both) beside, \(single) alone")
        #expect(both.bytes * 100 >= single.bytes * 95, "\(both) beside, \(single) alone")
        #expect(fast.viewer.broken == 0 && slow.viewer.broken == 0)
        let (mine, other) = (try #require(world.statistics(of: fast)), try #require(world.statistics(of: slow)))
        #expect(mine.encoding == .main && !mine.isOnRefresh)
        #expect(world.host.statistics.bitrate >= .megabits(5))
        if policy == .secondEncode {
            #expect(other.encoding == .second && !other.isOnRefresh)
            #expect(try #require(world.host.statistics.second).bitrate <= Self.hardlyMore)
            #expect(slow.viewer.frames - before >= 100)
            #expect(slow.viewer.terms.last.map { $0.coded <= Self.hardlyMore } ?? false)
        } else {
            #expect(other.encoding == .main && other.isOnRefresh)
            #expect(slow.viewer.frames - before >= 3 && slow.viewer.frames - before <= 30)
            #expect(world.host.statistics.second == nil && world.seconds.isEmpty)
        }
    }

    @Test("a slow viewer that loses the picture costs the second encode a keyframe, and the main one nothing")
    func pictureLoss() {
        let world = AudienceWorld(.secondEncode)
        let fast = world.add(.megabits(20))
        let slow = world.add(.megabits(1))
        world.run(.seconds(8))
        #expect(world.statistics(of: slow)?.encoding == .second)
        let before = world.asked
        for _ in 0..<5 {
            world.losePicture(slow)
            world.run(.seconds(2))
        }
        #expect(world.asked[.main] == before[.main])
        #expect(world.asked[.second, default: 0] > before[.second, default: 0])
        let between = world.asked
        world.losePicture(fast)
        world.run(.seconds(1))
        #expect(world.asked[.main, default: 0] > between[.main, default: 0])
        #expect(fast.viewer.broken == 0 && slow.viewer.broken == 0)
    }

    @Test("a viewer moves to the second encode and back, and never sees a broken frame", arguments: [0, 1, 2])
    func moves(turn: Int) {
        let world = AudienceWorld(.secondEncode)
        let fast = world.add(.megabits(20))
        let other = world.add(.megabits(20))
        world.run(.seconds(5) + .milliseconds(turn * 13))
        #expect(world.statistics(of: other)?.encoding == .main && world.seconds.isEmpty)
        world.setRate(.kilobits(800), to: other)
        world.run(.seconds(6))
        #expect(world.statistics(of: other)?.encoding == .second)
        #expect(!world.seconds.contains(nil))
        let frames = other.viewer.frames
        world.run(.seconds(3))
        #expect(other.viewer.frames - frames >= 20)
        world.setRate(.megabits(20), to: other)
        world.run(.seconds(25))
        #expect(world.statistics(of: other)?.encoding == .main)
        #expect(world.seconds.last == .some(nil) && world.host.statistics.second == nil)
        #expect(fast.viewer.broken == 0 && other.viewer.broken == 0)
        #expect(fast.viewer.longestGap < .milliseconds(700))
    }

    @Test("when the last slow viewer leaves, the second encode ends; when the fast one does, all are together again")
    func leaving() {
        var world = AudienceWorld(.secondEncode)
        _ = world.add(.megabits(20))
        let slow = world.add(.megabits(1))
        world.run(.seconds(8))
        #expect(world.host.statistics.second != nil)
        world.leave(slow)
        world.run(.seconds(1))
        #expect(world.host.statistics.second == nil && world.seconds.last == .some(nil))
        world = AudienceWorld(.secondEncode)
        let fast = world.add(.megabits(20))
        let left = world.add(.megabits(1))
        world.run(.seconds(8))
        world.leave(fast)
        world.run(.seconds(8))
        #expect(world.host.statistics.second == nil && world.statistics(of: left)?.encoding == .main)
        #expect(world.host.statistics.bitrate <= Self.hardlyMore)
        #expect(left.viewer.broken == 0)
    }

    @Test("where there is no encoder for it, slow viewers are sent a picture now and then")
    func noEncoder() {
        let world = AudienceWorld(.secondEncode)
        world.hasSecondEncoder = false
        let fast = world.add(.megabits(20))
        let slow = world.add(.megabits(1))
        world.run(.seconds(10))
        #expect(world.statistics(of: slow)?.isOnRefresh ?? false)
        #expect(world.host.statistics.second == nil && world.host.statistics.bitrate >= .megabits(5))
        let frames = slow.viewer.frames
        world.run(.seconds(10))
        #expect(slow.viewer.frames > frames)
        #expect(fast.viewer.broken == 0 && slow.viewer.broken == 0)
    }

    @Test("viewers that are all slow are sent one encode")
    func together() {
        let world = AudienceWorld(.secondEncode)
        let viewers = [world.add(.megabits(1)), world.add(.megabits(1))]
        world.run(.seconds(20))
        #expect(viewers.allSatisfy { world.statistics(of: $0)?.encoding == .main })
        #expect(world.host.statistics.bitrate <= Self.hardlyMore && world.host.statistics.second == nil)
    }
}
