import HelioCore

/// The pixels of a screen full of text in BGRX, as window systems store them.
///
/// The picture is higher than the screen, so that it can be scrolled.
final class StageScreen {
    /// The size of a character cell.
    private static let cell = PixelSize(width: 8, height: 16)
    private static let letters = 90

    let size: PixelSize
    /// The number of rows by which it can be scrolled.
    let reserve: Int
    /// The bytes per row.
    let stride: Int
    private let pixels: UnsafeMutablePointer<UInt32>

    init(size: PixelSize, reserve: Int = 0, seed: UInt64) {
        self.size = size
        self.reserve = reserve
        stride = size.width * 4
        let count = size.width * (size.height + reserve)
        pixels = .allocate(capacity: count)
        pixels.initialize(repeating: 0x00FF_FFFF, count: count)
        var generator = SeededGenerator(seed: seed)
        let alphabet = (0..<Self.letters).map { _ in Self.letter(&generator) }
        for row in 0..<(size.height + reserve) / Self.cell.height {
            // Lines have different lengths, and some are empty.
            let length = Int.random(in: 0...size.width / Self.cell.width, using: &generator)
            for column in 0..<length where Int.random(in: 0..<6, using: &generator) > 0 {
                draw(alphabet[Int.random(in: 0..<Self.letters, using: &generator)], column, row)
            }
        }
    }

    deinit { pixels.deallocate() }

    /// The first byte of `rect`, with the screen scrolled by a number of rows.
    func pixels(of rect: PixelRect, scrolled: Int = 0) -> UnsafePointer<UInt8> {
        let start = UnsafeRawPointer(pixels + (rect.y + scrolled) * size.width + rect.x)
        return start.assumingMemoryBound(to: UInt8.self)
    }

    /// Draws a random letter of strokes with soft edges: a grey value for each pixel.
    private static func letter(_ generator: inout SeededGenerator) -> [UInt32] {
        var greys = [UInt32](repeating: 255, count: cell.width * cell.height)
        for _ in 0..<2 {
            let x = Int.random(in: 1..<cell.width - 1, using: &generator)
            for y in 3..<Int.random(in: 8...13, using: &generator) {
                greys[y * cell.width + x] = 20
                greys[y * cell.width + x - 1] = min(greys[y * cell.width + x - 1], 170)
            }
        }
        for _ in 0..<2 {
            let y = Int.random(in: 3...12, using: &generator)
            for x in 1..<Int.random(in: 4..<cell.width, using: &generator) { greys[y * cell.width + x] = 40 }
        }
        return greys
    }

    private func draw(_ letter: [UInt32], _ column: Int, _ row: Int) {
        for y in 0..<Self.cell.height {
            let line = pixels + (row * Self.cell.height + y) * size.width + column * Self.cell.width
            for x in 0..<Self.cell.width { line[x] = letter[y * Self.cell.width + x] &* 0x0001_0101 }
        }
    }
}
