import HelioCore
import Testing

@testable import HelioLinuxSource

@Suite struct PictureScalerTests {
    struct Sizes: Sendable, CustomTestStringConvertible {
        var from: PixelSize
        var to: PixelSize
        var testDescription: String { "\(from) to \(to)" }
    }

    static let sizes = [
        Sizes(from: PixelSize(width: 96, height: 64), to: PixelSize(width: 64, height: 42)),
        Sizes(from: PixelSize(width: 203, height: 131), to: PixelSize(width: 200, height: 66)),
        Sizes(from: PixelSize(width: 192, height: 108), to: PixelSize(width: 64, height: 36)),
        Sizes(from: PixelSize(width: 200, height: 100), to: PixelSize(width: 100, height: 50)),
        Sizes(from: PixelSize(width: 320, height: 256), to: PixelSize(width: 16, height: 256)),
        Sizes(from: PixelSize(width: 500, height: 310), to: PixelSize(width: 18, height: 16)),
    ]

    static func noise(_ size: PixelSize) -> [UInt8] {
        var generator = SeededGenerator(seed: 11)
        return (0..<size.area * 4).map { _ in .random(in: 0...255, using: &generator) }
    }

    /// Scales a rectangle of the smaller picture, using only the source pixels that it needs.
    static func scaled(_ pixels: [UInt8], _ sizes: Sizes, _ scaler: PictureScaler, _ rect: PixelRect) -> [UInt8] {
        let source = scaler.source(of: rect)
        var cut: [UInt8] = []
        for y in source.y..<source.maxY {
            let row = (y * sizes.from.width + source.x) * 4
            cut += pixels[row..<row + source.width * 4]
        }
        var result = [UInt8](repeating: 0, count: rect.area * 4)
        scaler.scale(cut, stride: source.width * 4, to: rect) { part, bytes, stride in
            for y in 0..<part.height {
                for x in 0..<part.width * 4 {
                    result[((part.y - rect.y + y) * rect.width) * 4 + x] = bytes[y * stride + x]
                }
            }
        }
        return result
    }

    @Test("each pixel is the mean of the area that it covers", arguments: sizes, [true, false])
    func mean(_ sizes: Sizes, vectors: Bool) {
        let pixels = Self.noise(sizes.from)
        let scaler = PictureScaler(from: sizes.from, to: sizes.to, allowVectors: vectors)
        let result = Self.scaled(pixels, sizes, scaler, PixelRect(sizes.to))
        let (sx, sy) = (
            Double(sizes.from.width) / Double(sizes.to.width), Double(sizes.from.height) / Double(sizes.to.height)
        )
        func share(_ place: Int, _ pixel: Int, _ scale: Double) -> Double {
            max(0, min(Double(pixel + 1), Double(place + 1) * scale) - max(Double(pixel), Double(place) * scale))
                / scale
        }
        var worst = 0.0
        for y in 0..<sizes.to.height {
            for x in 0..<sizes.to.width {
                for channel in 0..<4 {
                    var sum = 0.0
                    for row in Int(Double(y) * sy)..<min(sizes.from.height, Int(Double(y + 1) * sy) + 1) {
                        for column in Int(Double(x) * sx)..<min(sizes.from.width, Int(Double(x + 1) * sx) + 1) {
                            let value = Double(pixels[(row * sizes.from.width + column) * 4 + channel])
                            sum += value * share(x, column, sx) * share(y, row, sy)
                        }
                    }
                    worst = max(worst, abs(sum - Double(result[(y * sizes.to.width + x) * 4 + channel])))
                }
            }
        }
        // Rounding by half a level, and weights in steps of 1/256.
        #expect(worst < 2.5)
    }

    @Test("a part comes out as it does in the whole, to the bit, and with vectors as without", arguments: sizes)
    func parts(_ sizes: Sizes) {
        let pixels = Self.noise(sizes.from)
        let scaler = PictureScaler(from: sizes.from, to: sizes.to)
        let whole = Self.scaled(pixels, sizes, scaler, PixelRect(sizes.to))
        let plain = PictureScaler(from: sizes.from, to: sizes.to, allowVectors: false)
        #expect(Self.scaled(pixels, sizes, plain, PixelRect(sizes.to)) == whole)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<40 {
            let x = Int.random(in: 0..<sizes.to.width, using: &generator)
            let y = Int.random(in: 0..<sizes.to.height, using: &generator)
            let rect = PixelRect(
                x: x, y: y, width: .random(in: 1...sizes.to.width - x, using: &generator),
                height: .random(in: 1...sizes.to.height - y, using: &generator))
            let part = Self.scaled(pixels, sizes, scaler, rect)
            for row in 0..<rect.height {
                let at = ((rect.y + row) * sizes.to.width + rect.x) * 4
                let isSame = part[row * rect.width * 4..<(row + 1) * rect.width * 4] == whole[at..<at + rect.width * 4]
                #expect(isSame)
            }
        }
    }

    @Test("one colour stays that colour", arguments: sizes)
    func flat(_ sizes: Sizes) {
        let scaler = PictureScaler(from: sizes.from, to: sizes.to)
        for value: UInt8 in [0, 1, 127, 254, 255] {
            let pixels = [UInt8](repeating: value, count: sizes.from.area * 4)
            #expect(Self.scaled(pixels, sizes, scaler, PixelRect(sizes.to)).allSatisfy { $0 == value })
        }
    }

    @Test("what depends on a pixel, and nothing else, is made anew when it changes", arguments: sizes)
    func dependence(_ sizes: Sizes) {
        let scaler = PictureScaler(from: sizes.from, to: sizes.to)
        for x in 0..<sizes.from.width {
            let target = scaler.target(of: PixelRect(x: x, y: 0, width: 1, height: 1))
            let all = (0..<sizes.to.width).filter { place in
                let source = scaler.source(of: PixelRect(x: place, y: 0, width: 1, height: 1))
                return (source.x..<source.maxX).contains(x)
            }
            #expect(Array(target.x..<target.maxX) == all)
        }
    }
}
