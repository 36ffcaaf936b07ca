import HelioCore
import HelioPatch
import Testing

@testable import HelioLinuxSource

@Suite struct ConversionTests {
    static let colors: [ColorDescription] = [
        .bt709, .bt601, ColorDescription(primaries: 1, transfer: 13, matrix: 1, isFullRange: true),
        ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: true),
    ]

    /// The reference conversion of H.273 equations 38 ff., in floating point.
    static func reference(_ b: Double, _ g: Double, _ r: Double, _ color: ColorDescription) -> [Double] {
        let (kr, kb) = color.matrix == 1 ? (0.2126, 0.0722) : (0.299, 0.114)
        let y = kr * r + (1 - kr - kb) * g + kb * b
        let (u, v) = ((b - y) / 2 / (1 - kb), (r - y) / 2 / (1 - kr))
        if color.isFullRange { return [y, min(255, u + 128), min(255, v + 128)] }
        return [y * 219 / 255 + 16, u * 224 / 255 + 128, v * 224 / 255 + 128]
    }

    @Test(arguments: colors, [true, false]) func patchesAreExact(_ color: ColorDescription, vectors: Bool) throws {
        // 27 colours of 32x32, on a picture whose width is no multiple of 16.
        let steps: [UInt8] = [0, 127, 255]
        for chroma in ChromaSampling.allCases {
            var screen = TestPicture(870, 32)
            for (i, (b, g, r)) in steps.flatMap({ b in steps.flatMap { g in steps.map { (b, g, $0) } } }).enumerated() {
                for y in 0..<32 {
                    for x in i * 32..<i * 32 + 32 {
                        screen.pixels.replaceSubrange((y * 870 + x) * 4..<(y * 870 + x) * 4 + 3, with: [b, g, r])
                    }
                }
            }
            let picture = try PlanarPicture(size: screen.size, chroma: chroma, color: color, allowVectors: vectors)
            screen.convert(into: picture)
            let planes = picture.planar
            for i in 0..<27 {
                let at = (16 * 870 + i * 32 + 16) * 4
                let want = Self.reference(
                    Double(screen.pixels[at]), Double(screen.pixels[at + 1]), Double(screen.pixels[at + 2]), color)
                let luma = planes[16 * 870 + i * 32 + 16]
                let c = chroma == .yuv444 ? 870 : 435
                let plane = chroma == .yuv444 ? 870 * 32 : 435 * 16
                let inPlane = chroma == .yuv444 ? 16 * c + i * 32 + 16 : 8 * c + i * 16 + 8
                let cb = planes[870 * 32 + inPlane]
                let cr = planes[870 * 32 + plane + inPlane]
                for (got, wanted) in zip([luma, cb, cr], want) { #expect(abs(Double(got) - wanted) <= 0.6) }
            }
        }
    }

    @Test(arguments: ChromaSampling.allCases, [16, 30, 338, 640]) func vectorsEqualScalars(
        _ chroma: ChromaSampling, width: Int
    ) throws {
        var screen = TestPicture(width, 34, seed: 7)
        var generator = SeededGenerator(seed: 3)
        for i in screen.pixels.indices { screen.pixels[i] = .random(in: 0...255, using: &generator) }
        let fast = try PlanarPicture(size: screen.size, chroma: chroma, color: .bt709)
        let slow = try PlanarPicture(size: screen.size, chroma: chroma, color: .bt709, allowVectors: false)
        screen.convert(into: fast)
        screen.convert(into: slow)
        #expect(fast.planar == slow.planar)
    }

    @Test func meansOfFourPixelsAreRounded() throws {
        var screen = TestPicture(16, 16)
        for (i, value) in [10, 20, 30, 41].enumerated() {
            let at = ((i / 2) * 16 + i % 2) * 4
            for c in 0..<3 { screen.pixels[at + c] = c == 0 ? UInt8(value) : 0 }
        }
        let picture = try PlanarPicture(size: screen.size, chroma: .yuv420, color: .bt709)
        screen.convert(into: picture)
        let want = Self.reference(25.25, 0, 0, .bt709)
        #expect(abs(Double(picture.blocks.chroma0[0]) - want[1]) <= 0.6)
        #expect(abs(Double(picture.blocks.chroma0[1]) - want[2]) <= 0.6)
    }

    @Test(arguments: ChromaSampling.allCases) func marksWhatReallyChanges(_ chroma: ChromaSampling) throws {
        var screen = TestPicture(128, 72)
        let picture = try PlanarPicture(size: screen.size, chroma: chroma, color: .bt709)
        screen.convert(into: picture)
        picture.markCoded()
        screen.convert(into: picture)
        #expect(picture.blocks.changedCount == 0)
        #expect(picture.blocks.changedBounds(in: PixelRect(screen.size)).isEmpty)
        screen.pixels[(70 * 128 + 100) * 4] = 0
        screen.convert(into: picture)
        #expect(picture.blocks.changedCount == 1)
        #expect(
            picture.blocks.changedBounds(in: PixelRect(screen.size)) == PixelRect(x: 96, y: 64, width: 16, height: 8))
    }

    @Test func edgesFillWholeMacroblocks() throws {
        var screen = TestPicture(70, 38)
        screen.drawNoise(in: PixelRect(screen.size))
        let picture = try PlanarPicture(size: screen.size, chroma: .yuv420, color: .bt709)
        screen.convert(into: picture)
        #expect(
            picture.blocks.luma[5 * picture.blocks.lumaStride + 79]
                == picture.blocks.luma[5 * picture.blocks.lumaStride + 69])
        #expect(
            picture.blocks.luma[47 * picture.blocks.lumaStride + 9]
                == picture.blocks.luma[37 * picture.blocks.lumaStride + 9])
        #expect(
            picture.blocks.chroma0[23 * picture.blocks.chromaStride + 79]
                == picture.blocks.chroma0[18 * picture.blocks.chromaStride + 69])
    }

    @Test func refusesWhatItCannotDo() {
        #expect(throws: HelioError.self) {
            try PlanarPicture(size: PixelSize(width: 33, height: 32), chroma: .yuv420, color: .bt709)
        }
        #expect(throws: HelioError.self) {
            try PlanarPicture(
                size: PixelSize(width: 32, height: 32), chroma: .yuv420,
                color: ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false))
        }
    }
}
