internal import CFFmpeg
package import HelioCore

/// A decoded picture: a reference to the decoder's own memory, given back when the last reference goes.
///
/// It is never changed after it was made, so threads may share it.
package final class DecodedPicture: DecodedImaging, @unchecked Sendable {
    let layout: SampleLayout
    /// The region that may differ from the picture decoded before; `nil` = everything.
    package let damage: Region?
    /// The access unit's frame index; see `ReceivedFrame`.
    package let frameIndex: UInt64
    /// The access unit's media time at 90 kHz; see `ReceivedFrame`.
    package let mediaTime: Int64

    private let frame: UnsafeMutablePointer<AVFrame>

    /// Takes over `frame`, which `layout` describes.
    init(
        owning frame: UnsafeMutablePointer<AVFrame>, layout: SampleLayout, damage: Region?, frameIndex: UInt64,
        mediaTime: Int64
    ) {
        self.frame = frame
        self.layout = layout
        self.damage = damage
        self.frameIndex = frameIndex
        self.mediaTime = mediaTime
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    package var description: PictureDescription { layout.description }
    package var size: PixelSize { layout.description.size }

    /// True where plane 1 has both colours by turns, and there is no plane 2.
    package var hasPairedChroma: Bool { layout.planes == .nv12 }

    /// The first sample of a plane: 0 = Y, 1 = Cb (or both colours), 2 = Cr.
    package func plane(_ index: Int) -> UnsafePointer<UInt8>? {
        let data = frame.pointee.data
        return switch index {
        case 0: UnsafePointer(data.0)
        case 1: UnsafePointer(data.1)
        default: UnsafePointer(data.2)
        }
    }

    /// The bytes from one line to the next.
    package func stride(_ index: Int) -> Int {
        let linesize = frame.pointee.linesize
        return switch index {
        case 0: Int(linesize.0)
        case 1: Int(linesize.1)
        default: Int(linesize.2)
        }
    }
}
