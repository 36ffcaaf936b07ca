/// The history of which macroblocks each of the last frames touched: all others were left as they were, to the sample.
///
/// A viewer that has lost everything after a frame has all macroblocks right but those that were touched since.
package struct TouchedBlocks {
    private struct Entry {
        var frame: UInt64
        var blocks: BlockSet
    }

    /// The most frames that are remembered.
    private let limit: Int
    /// The frames, oldest first from `oldest` on, round and round.
    private var entries: [Entry] = []
    private var oldest = 0
    /// The frame before the oldest one of the history: the first that can be asked about; `nil` before any keyframe.
    private var base: UInt64?
    /// The last frame.
    private var last: UInt64 = 0

    /// - Parameter limit: the most frames that are remembered.
    package init(limit: Int = 128) { self.limit = max(1, limit) }

    /// Forgets all, as nothing that comes after a keyframe refers to what was before it.
    ///
    /// - Parameter keyframe: its frame index; `nil` where a keyframe is still to come.
    package mutating func restart(at keyframe: UInt64?) {
        entries.removeAll(keepingCapacity: true)
        oldest = 0
        base = keyframe
        last = keyframe ?? 0
    }

    /// Notes what a frame has touched.
    ///
    /// - Parameter frame: its index, above the last one's; otherwise the history ends, as nothing could be told of it.
    package mutating func note(_ blocks: BlockSet, in frame: UInt64) {
        guard base != nil else { return }
        guard frame > last else { return restart(at: nil) }
        last = frame
        let entry = Entry(frame: frame, blocks: blocks)
        if entries.count < limit { return entries.append(entry) }
        base = entries[oldest].frame
        entries[oldest] = entry
        oldest = (oldest + 1) % limit
    }

    /// The macroblocks that were touched by any frame after this one; `nil` where the history does not reach back so
    /// far, or the frame is yet to come.
    ///
    /// - Parameter blockCount: the number of macroblocks of a picture.
    package func touched(since frame: UInt64, blockCount: Int) -> BlockSet? {
        guard let base, frame >= base, frame <= last else { return nil }
        var union = BlockSet(blockCount: blockCount)
        for entry in entries where entry.frame > frame {
            guard entry.blocks.blockCount == blockCount else { return nil }
            union.formUnion(entry.blocks)
        }
        return union
    }
}
