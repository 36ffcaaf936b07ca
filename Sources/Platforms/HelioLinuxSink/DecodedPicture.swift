internal import CFFmpeg
package import HelioCore
internal import HelioPatch
private import Synchronization

/// A decoded picture: a reference to the decoder's own memory, released with the last reference.
///
/// It does not change until `markDrawn`, so threads may share it. After that its memory may become the next picture.
package final class DecodedPicture: DecodedImaging, @unchecked Sendable {
    /// The change since the picture decoded before: the parts that only moved, and those that were coded anew.
    struct Change {
        /// The frame index of the picture decoded before.
        var base: UInt64
        var scroll: DecodedPatch.Scroll
        var coded: Region
    }

    let layout: SampleLayout
    /// The region that may differ from the picture decoded before; `nil` if everything may.
    package let damage: Region?
    /// The scrolling of the picture; `nil` if it did not scroll, or that is not known.
    let change: Change?
    /// The access unit's frame index; see `ReceivedFrame`.
    package let frameIndex: UInt64
    /// The access unit's media time at 90 kHz; see `ReceivedFrame`.
    package let mediaTime: Int64

    private let memory: PictureMemory
    private let version: Int
    private let isDrawn = Atomic(false)

    init(
        in memory: PictureMemory, layout: SampleLayout, damage: Region?, change: Change? = nil, frameIndex: UInt64,
        mediaTime: Int64
    ) {
        self.memory = memory
        self.layout = layout
        self.damage = damage
        self.change = change
        self.frameIndex = frameIndex
        self.mediaTime = mediaTime
        version = memory.add()
    }

    deinit { markDrawn() }

    /// Allows the memory to be reused for the next picture, which later reads may return.
    func markDrawn() {
        if !isDrawn.exchange(true, ordering: .relaxed) { memory.release() }
    }

    /// False if the memory holds a later picture.
    var isCurrent: Bool { memory.version == version }

    /// Calls `body`, during which the samples do not change.
    func read<Result>(_ body: () -> Result) -> Result { memory.read(body) }

    package var description: PictureDescription { layout.description }
    package var size: PixelSize { layout.description.size }

    /// True if plane 1 has both colours interleaved, and there is no plane 2.
    package var hasPairedChroma: Bool { layout.planes == .nv12 }

    /// The first sample of a plane: 0 = Y, 1 = Cb (or both colours), 2 = Cr.
    package func plane(_ index: Int) -> UnsafePointer<UInt8>? {
        let data = memory.frame.pointee.data
        return switch index {
        case 0: UnsafePointer(data.0)
        case 1: UnsafePointer(data.1)
        default: UnsafePointer(data.2)
        }
    }

    /// The bytes from one line to the next.
    package func stride(_ index: Int) -> Int {
        let linesize = memory.frame.pointee.linesize
        return switch index {
        case 0: Int(linesize.0)
        case 1: Int(linesize.1)
        default: Int(linesize.2)
        }
    }
}
