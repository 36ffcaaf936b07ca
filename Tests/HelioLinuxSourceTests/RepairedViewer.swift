import HelioCore
import Testing

@testable import HelioLinuxSink

/// A viewer with the real decoder, whose displayed samples tests can compare.
final class RepairedViewer {
    private let decoder: FFmpegDecoder
    /// The samples of the last picture, plane after plane without padding.
    private(set) var shown: [UInt8] = []
    /// The index of the last decoded frame.
    private(set) var last: UInt64 = 0

    init() throws { decoder = try FFmpegDecoder(.h264) }

    /// Decodes the first slices of a picture whose rest is lost.
    func begin(_ slices: some Sequence<EncodedSlice>) throws {
        var offset = 0
        for slice in slices {
            let start = ReceivedPart.Place(timestamp: UInt32(slice.frameIndex) * 1500, offset: offset)
            try decoder.begin(ReceivedPart(annexB: slice.annexB, start: start))
            offset += slice.annexB.count
        }
    }

    /// Decodes a whole picture, its first `count` slices as separate parts.
    func take(_ slices: [EncodedSlice], inParts count: Int) throws {
        try begin(slices.prefix(count))
        let frame = ReceivedFrame(
            annexB: slices.flatMap(\.annexB), mediaTime: Int64(slices[0].frameIndex) * 1500,
            frameIndex: slices[0].frameIndex, isKeyframe: slices[0].isKeyframe, firstArrival: .zero, completed: .zero,
            handedOut: slices.prefix(count).reduce(0) { $0 + $1.annexB.count })
        let picture = try #require(try decoder.decode(frame))
        last = picture.frameIndex
        shown = try picture.samples()
    }

    /// Decodes a picture's slices one by one.
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
