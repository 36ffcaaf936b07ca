import HelioBroadcast
import HelioCore
import Testing

struct BroadcastFeedTests {
    private static func slice(
        _ index: UInt64, _ byte: UInt8, first: Bool, last: Bool, isKeyframe: Bool = false, size: Int = 1
    ) -> EncodedSlice {
        let captured = Instant(nanoseconds: Int64(index) * 1000)
        return EncodedSlice(
            frameIndex: index, annexB: Array(repeating: byte, count: size), isFirst: first, isLast: last,
            isKeyframe: isKeyframe, timing: FrameTiming(damaged: captured, captured: captured))
    }

    @Test func putsSlicesTogether() {
        var feed = BroadcastFeed(.main)
        #expect(feed.wantsKeyframe)
        #expect(feed.take(Self.slice(4, 1, first: true, last: true)) == nil)
        #expect(feed.take(Self.slice(5, 1, first: true, last: false, isKeyframe: true)) == nil)
        #expect(
            feed.take(Self.slice(5, 2, first: false, last: true, isKeyframe: true))
                == BroadcastPicture(annexB: [1, 2], captured: Instant(nanoseconds: 5000), isKeyframe: true))
        #expect(!feed.wantsKeyframe)
        #expect(feed.take(Self.slice(6, 3, first: true, last: true))?.annexB == [3])
        #expect(feed.drops.byName == ["broadcast-awaiting-keyframe": 1])
    }

    /// An incomplete frame makes all frames up to the next keyframe unusable.
    @Test func gaps() {
        var feed = BroadcastFeed(.main)
        #expect(feed.take(Self.slice(0, 1, first: true, last: true, isKeyframe: true)) != nil)
        #expect(feed.take(Self.slice(2, 1, first: true, last: true)) == nil)
        #expect(feed.take(Self.slice(3, 1, first: true, last: true)) == nil)
        #expect(feed.drops.byName == ["broadcast-awaiting-keyframe": 2])
        #expect(feed.take(Self.slice(4, 1, first: true, last: false, isKeyframe: true)) == nil)
        #expect(feed.take(Self.slice(5, 1, first: true, last: true, isKeyframe: true)) != nil)
        #expect(feed.drops[.brokenFrame] == 1)
        #expect(feed.take(Self.slice(6, 1, first: true, last: false)) == nil)
        #expect(feed.take(Self.slice(7, 1, first: false, last: true)) == nil)
        #expect(feed.wantsKeyframe)
        #expect(feed.drops[.brokenFrame] == 2)
    }

    @Test func tooLarge() {
        var feed = BroadcastFeed(.main)
        let half = BroadcastFeed.maximumPicture / 2 + 1
        #expect(feed.take(Self.slice(0, 1, first: true, last: false, isKeyframe: true, size: half)) == nil)
        #expect(feed.take(Self.slice(0, 1, first: false, last: true, isKeyframe: true, size: half)) == nil)
        #expect(feed.drops.byName == ["broadcast-broken-frame": 1])
    }
}
