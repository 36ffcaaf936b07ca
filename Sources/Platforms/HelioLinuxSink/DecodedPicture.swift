internal import CFFmpeg
package import HelioCore
internal import HelioPatch
private import Synchronization

/// A decoded picture in the decoder's own memory, which is released with the last reference to this object.
///
/// The samples do not change until `markDrawn`, so threads may share the picture. After that, the next picture may be
/// decoded into its memory.
package final class DecodedPicture: DecodedImaging, @unchecked Sendable {
    /// The change since the previously decoded picture: the parts that only moved, and those that were newly coded.
    struct Change {
        /// The frame index of the previously decoded picture.
        var base: UInt64
        var scroll: DecodedPatch.Scroll
        var coded: Region
    }

    let layout: SampleLayout
    /// The region that may differ from the previously decoded picture; `nil` if any part may differ.
    package let damage: Region?
    /// The change by scrolling; `nil` if the picture did not scroll, or it is unknown whether it did.
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

    /// Allows the memory to be reused for the next picture. Reads after this call may return that picture's samples.
    func markDrawn() {
        if !isDrawn.exchange(true, ordering: .relaxed) { memory.release() }
    }

    /// False if a later picture was decoded into the memory.
    var isCurrent: Bool { memory.version == version }

    /// Calls `body` under a lock, so that the samples do not change while `body` reads them.
    func read<Result>(_ body: () -> Result) -> Result { memory.read(body) }

    package var description: PictureDescription { layout.description }
    package var size: PixelSize { layout.description.size }

    /// True if plane 1 has Cb and Cr interleaved (NV12), so that there is no plane 2.
    package var hasPairedChroma: Bool { layout.planes == .nv12 }

    /// Returns the first sample of a plane: 0 = Y, 1 = Cb (or interleaved Cb and Cr), 2 = Cr.
    package func plane(_ index: Int) -> UnsafePointer<UInt8>? {
        let data = memory.frame.pointee.data
        return switch index {
        case 0: UnsafePointer(data.0)
        case 1: UnsafePointer(data.1)
        default: UnsafePointer(data.2)
        }
    }

    /// Returns the distance of a plane's lines, in bytes.
    package func stride(_ index: Int) -> Int {
        let linesize = memory.frame.pointee.linesize
        return switch index {
        case 0: Int(linesize.0)
        case 1: Int(linesize.1)
        default: Int(linesize.2)
        }
    }
}
