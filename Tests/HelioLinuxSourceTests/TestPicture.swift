import Foundation
import HelioCore
import HelioPatch

@testable import HelioLinuxSource

/// Synthetic screens: BGRX pixels with text-like detail.
struct TestPicture {
    var size: PixelSize
    var pixels: [UInt8]
    private var generator: SeededGenerator

    init(_ width: Int, _ height: Int, seed: UInt64 = 1) {
        size = PixelSize(width: width, height: height)
        pixels = [UInt8](repeating: 255, count: width * height * 4)
        generator = SeededGenerator(seed: seed)
    }

    /// Draws dark marks on a light ground, with a different colour for each line if `isColored`.
    mutating func drawText(in rect: PixelRect, isColored: Bool = false) {
        for y in rect.y..<rect.maxY {
            for x in rect.x..<rect.maxX {
                let glyph = UInt64(x / 8) &* 31 &+ UInt64(y / 16) &* 57
                var g = SeededGenerator(seed: glyph)
                let bits = UInt64.random(in: 0...UInt64.max, using: &g)
                let on = y % 16 < 10 && x % 8 < 6 && bits >> UInt64((y % 16) * 6 + x % 8) & 1 == 1
                let line = y / 16 % 3
                let ink: [UInt8] =
                    isColored
                    ? (line == 0 ? [40, 40, 200] : line == 1 ? [180, 60, 20] : [20, 20, 20]) : [20, 20, 20]
                for c in 0..<3 { pixels[(y * size.width + x) * 4 + c] = on ? ink[c] : 245 }
            }
        }
    }

    /// Draws grey noise, smoothed so that it compresses.
    mutating func drawNoise(in rect: PixelRect) {
        for y in rect.y..<rect.maxY {
            var value = 128
            for x in rect.x..<rect.maxX {
                value = max(0, min(255, value + Int.random(in: -12...12, using: &generator)))
                for c in 0..<3 { pixels[(y * size.width + x) * 4 + c] = UInt8(value) }
            }
        }
    }

    /// Scrolls the picture up; the new rows are a copy of the lowest ones.
    mutating func scrollUp(by rows: Int) {
        let row = size.width * 4
        pixels = Array(pixels[(rows * row)...]) + Array(pixels[(pixels.count - rows * row)...])
    }

    /// Copies a rectangle of another picture to a position.
    mutating func copy(_ rect: PixelRect, of other: TestPicture, toX x: Int, y: Int) {
        for row in 0..<rect.height {
            let from = ((rect.y + row) * other.size.width + rect.x) * 4
            let to = ((y + row) * size.width + x) * 4
            pixels.replaceSubrange(to..<to + rect.width * 4, with: other.pixels[from..<from + rect.width * 4])
        }
    }

    /// Converts a rectangle into the encoder's picture.
    func convert(_ rect: PixelRect? = nil, into picture: PlanarPicture) {
        let rect = rect ?? PixelRect(size)
        pixels.withUnsafeBufferPointer {
            guard let start = $0.baseAddress else { return }
            picture.convert(start + (rect.y * size.width + rect.x) * 4, stride: size.width * 4, to: rect)
        }
    }
}

extension PlanarPicture {
    /// The picture in planes without padding, as ffmpeg's yuv420p or yuv444p.
    var planar: [UInt8] {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            bytes += UnsafeBufferPointer(start: blocks.luma + y * blocks.lumaStride, count: size.width)
        }
        if chroma == .yuv444 {
            for plane in [blocks.chroma0, blocks.chroma1] {
                for y in 0..<size.height {
                    bytes += UnsafeBufferPointer(start: plane + y * blocks.chromaStride, count: size.width)
                }
            }
        } else {
            for c in 0..<2 {
                for y in 0..<size.height / 2 {
                    for x in 0..<size.width / 2 { bytes.append(blocks.chroma0[y * blocks.chromaStride + x * 2 + c]) }
                }
            }
        }
        return bytes
    }
}

/// The peak signal-to-noise ratio of two equally long sequences of samples, in dB; 100 if they are equal.
func psnr(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Double {
    var sum = 0
    var count = 0
    for (x, y) in zip(a, b) {
        let d = Int(x) - Int(y)
        sum += d * d
        count += 1
    }
    return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(count) / Double(sum))
}
