import HelioCore
import Testing

@testable import HelioPatch

@Suite struct TouchedBlocksTests {
    private static func blocks(_ indices: Int...) -> BlockSet {
        var set = BlockSet(blockCount: 100)
        for index in indices { set.insert(index) }
        return set
    }

    private static func touched(_ history: TouchedBlocks, since frame: UInt64) -> BlockSet? {
        history.touched(since: frame, blockCount: 100)
    }

    @Test func tellsWhatCameAfterAFrame() {
        var history = TouchedBlocks(limit: 3)
        #expect(Self.touched(history, since: 0) == nil)
        history.note(Self.blocks(1), in: 1)
        #expect(Self.touched(history, since: 1) == nil, "nothing was ever known")
        history.restart(at: 7)
        #expect(Self.touched(history, since: 7) == Self.blocks())
        for frame: UInt64 in 8...10 { history.note(Self.blocks(Int(frame), 50), in: frame) }
        #expect(Self.touched(history, since: 6) == nil)
        #expect(Self.touched(history, since: 7) == Self.blocks(8, 9, 10, 50))
        #expect(Self.touched(history, since: 9) == Self.blocks(10, 50))
        #expect(Self.touched(history, since: 10) == Self.blocks())
        #expect(Self.touched(history, since: 11) == nil, "a frame to come")
        history.note(Self.blocks(99), in: 11)
        #expect(Self.touched(history, since: 7) == nil, "too long ago")
        #expect(Self.touched(history, since: 8) == Self.blocks(9, 10, 50, 99))
        #expect(history.touched(since: 8, blockCount: 64) == nil, "another size")
        history.restart(at: nil)
        #expect(Self.touched(history, since: 11) == nil)
    }

    /// Frames with repeated or decreasing indices can't be distinguished.
    @Test func endsWhereFramesRunBackwards() {
        var history = TouchedBlocks()
        history.restart(at: 5)
        history.note(Self.blocks(1), in: 6)
        history.note(Self.blocks(2), in: 6)
        #expect(Self.touched(history, since: 5) == nil)
        #expect(Self.touched(history, since: 6) == nil)
    }

    @Test(arguments: [1, 63, 64, 65, 128]) func fullSetsHaveNoMore(count: Int) {
        #expect(BlockSet(blockCount: count, isFull: true).count == count)
        #expect(BlockSet(blockCount: count).count == 0)
    }

    @Test func regionIsInWholeMacroblocks() {
        var set = BlockSet(blockCount: 12)
        for index in [1, 2, 11] { set.insert(index) }
        let region = set.region(of: PixelSize(width: 60, height: 40))
        #expect(
            Set(region.rects) == [
                PixelRect(x: 16, y: 0, width: 32, height: 16), PixelRect(x: 48, y: 32, width: 12, height: 8),
            ])
    }
}
