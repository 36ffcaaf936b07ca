import HelioBitstream
import HelioCore
import HelioLinuxSource

/// Makes coded streams of coloured patches with Heliograph's own encoders.
enum CodedStream {
    static let patches: [[UInt8]] = [
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [128, 128, 128], [255, 255, 0],
        [40, 90, 160],
    ]

    /// Returns coded frames; each shows the patches, shifted by one place from the frame before.
    static func make(
        _ size: PixelSize, codec: VideoCodec = .h264, color: ColorDescription = .bt709, frames: Int,
        keyframes: Set<Int> = [0], from first: Int = 0
    ) throws -> [ReceivedFrame] {
        let format = VideoFormat(codec: codec, size: size, bitrate: .megabits(50), color: color)
        let encoder = try LinuxSource().makeEncoder(format, choice: .software)
        let picture = try PlanarPicture(size: size, chroma: .yuv420, color: color)
        var result: [ReceivedFrame] = []
        for index in 0..<frames {
            let pixels = bgrx(size, turn: index)
            pixels.withUnsafeBufferPointer {
                if let base = $0.baseAddress { picture.convert(base, stride: size.width * 4, to: PixelRect(size)) }
            }
            let unit = Unit()
            try encoder.encode(
                picture, damage: Region(PixelRect(size)), request: EncodeRequest(keyframe: keyframes.contains(index)),
                timing: FrameTiming(damaged: .zero, captured: .zero)
            ) { unit.take($0) }
            result.append(
                ReceivedFrame(
                    codec: codec, annexB: unit.bytes, mediaTime: Int64(first + index) * 1500,
                    frameIndex: UInt64(first + index), isKeyframe: unit.isKeyframe, firstArrival: .zero,
                    completed: .zero))
        }
        return result
    }

    static func patch(atColumn x: Int, of size: PixelSize, turn: Int) -> [UInt8] {
        patches[(x * patches.count / size.width + turn) % patches.count]
    }

    private static func bgrx(_ size: PixelSize, turn: Int) -> [UInt8] {
        var row: [UInt8] = []
        for x in 0..<size.width {
            let rgb = patch(atColumn: x, of: size, turn: turn)
            row += [rgb[2], rgb[1], rgb[0], 255]
        }
        return (0..<size.height).flatMap { _ in row }
    }

    /// Collects a frame's slices, which arrive on the encoder's threads, one call at a time.
    private final class Unit: @unchecked Sendable {
        var bytes: [UInt8] = []
        var isKeyframe = false

        func take(_ slice: EncodedSlice) {
            bytes += slice.annexB
            isKeyframe = isKeyframe || slice.isKeyframe
        }
    }
}
