import HelioCore
import Testing

@testable import HelioLinuxSink

/// A viewer with the real decoder; it says to the sample what it shows.
final class RepairedViewer {
    private let decoder: FFmpegDecoder
    /// The samples of the last picture, plane after plane without padding.
    private(set) var shown: [UInt8] = []
    /// The index of the last frame that was decoded.
    private(set) var last: UInt64 = 0

    init() throws { decoder = try FFmpegDecoder(.h264) }

    /// Decodes a picture's slices as they come.
    func take(_ slices: [EncodedSlice]) throws {
        for slice in slices {
            let picture = try decoder.decodePart(
                slice.annexB, isFirst: slice.isFirst, isLast: slice.isLast, isKeyframe: slice.isKeyframe,
                frameIndex: slice.frameIndex, mediaTime: Int64(slice.frameIndex) * 1500)
            guard let picture else { continue }
            last = picture.frameIndex
            shown = try picture.samples()
        }
    }
}
