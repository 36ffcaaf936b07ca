/// The history of the macroblocks that each recent frame touched. A frame leaves all other macroblocks unchanged in
/// every sample.
///
/// A viewer that has lost all frames after a given frame has correct samples in all macroblocks except those touched
/// since.
package struct TouchedBlocks {
    private struct Entry {
        var frame: UInt64
        var blocks: BlockSet
    }

    /// The largest number of frames remembered.
    private let limit: Int
    /// The frames as a ring buffer, from the oldest at index `oldest` on.
    private var entries: [Entry] = []
    private var oldest = 0
    /// The index of the frame before the oldest frame in the history: the earliest that can be queried; `nil` before a
    /// keyframe.
    private var base: UInt64?
    /// The index of the last frame recorded.
    private var last: UInt64 = 0

    /// - Parameter limit: the largest number of frames remembered.
    package init(limit: Int = 128) { self.limit = max(1, limit) }

    /// Clears the history, as no frame after a keyframe refers to a frame before it.
    ///
    /// - Parameter keyframe: the keyframe's index; `nil` if the keyframe is not coded yet.
    package mutating func restart(at keyframe: UInt64?) {
        entries.removeAll(keepingCapacity: true)
        oldest = 0
        base = keyframe
        last = keyframe ?? 0
    }

    /// Records the macroblocks that a frame touched.
    ///
    /// - Parameter frame: the frame's index, which has to exceed that of the last recorded frame. Otherwise the history
    ///   is empty until the next keyframe, as the order of frames is unknown.
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

    /// The macroblocks touched by any frame after `frame`; `nil` if the history does not reach that far back, or
    /// `frame` is not recorded yet.
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
