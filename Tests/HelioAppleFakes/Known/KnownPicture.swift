package import HelioCore

/// A picture whose every pixel is known: patches of colours that reveal a wrong matrix or range, text with strokes one
/// pixel wide, steps of grey, a moving bar, and the picture's number.
///
/// ```
/// | 16 cells of the number: a bright and a dark half, 1 where the bright one is on the left |
/// | 10 patches of colour                                                                     |
/// | text                                                                                     |
/// | a bar on grey, further right with each number                                            |
/// | 32 steps of grey                                                                         |
/// ```
///
/// Coloured parts have even coordinates, so that in 4:2:0 no chroma sample mixes two parts.
package struct KnownPicture: Sendable, Hashable {
    /// A rectangle of one colour, with even coordinates unless it is grey on a grey ground.
    package struct Part: Sendable, Hashable {
        package var rect: PixelRect
        package var color: KnownColor
    }

    package static let colors: [KnownColor] = [
        KnownColor(255, 0, 0), KnownColor(0, 255, 0), KnownColor(0, 0, 255), KnownColor(255, 255, 255),
        KnownColor(0, 0, 0), KnownColor(255, 255, 0), KnownColor(0, 192, 192), KnownColor(192, 0, 160),
        KnownColor(40, 90, 160), KnownColor(236, 236, 236),
    ]
    private static let (ground, bright, dark) = (
        KnownColor(112, 112, 112), KnownColor(216, 216, 216), KnownColor(40, 40, 40)
    )
    private static let bar = KnownColor(224, 128, 32)
    /// A glyph's width and height in pixels, including spacing.
    private static let (glyphWidth, glyphHeight) = (8, 10)

    package var size: PixelSize
    /// The picture's number, 0 ... 65535.
    package var number: Int

    package init(_ size: PixelSize, number: Int) {
        self.size = size
        self.number = number
    }

    private func even(_ share: Double, of side: Int) -> Int { Int(share * Double(side)) & ~1 }

    private func band(_ from: Double, _ to: Double) -> PixelRect {
        let (top, bottom) = (even(from, of: size.height), even(to, of: size.height))
        return PixelRect(x: 0, y: top, width: size.width, height: bottom - top)
    }

    /// The patches, in the order of `colors`.
    package var patches: [Part] {
        let band = band(0.15, 0.35)
        return Self.colors.enumerated().map { index, color in
            let count = Double(Self.colors.count)
            let (left, right) = ((Double(index) + 0.1) / count, (Double(index) + 0.9) / count)
            let x = even(left, of: size.width)
            return Part(
                rect: PixelRect(x: x, y: band.y, width: even(right, of: size.width) - x, height: band.height),
                color: color)
        }
    }

    /// The parts that are the same in every picture of this size, from back to front.
    package var still: [Part] {
        var parts = [Part(rect: PixelRect(size), color: Self.ground)] + patches + text
        let steps = band(0.85, 1)
        for step in 0..<32 {
            let x = even(Double(step) / 32, of: size.width)
            let end = step == 31 ? size.width : even(Double(step + 1) / 32, of: size.width)
            let grey = UInt8(step * 8)
            parts.append(
                Part(
                    rect: PixelRect(x: x, y: steps.y, width: end - x, height: size.height - steps.y),
                    color: KnownColor(grey, grey, grey)))
        }
        return parts
    }

    /// The parts that depend on the number; they are drawn over the still ones.
    package var moving: [Part] {
        let lane = band(0.65, 0.8)
        let width = even(0.08, of: size.width)
        let x = (number * 6) % (size.width - width) & ~1
        return cells.flatMap { cell in
            [
                Part(rect: cell.left, color: cell.isOne ? Self.bright : Self.dark),
                Part(rect: cell.right, color: cell.isOne ? Self.dark : Self.bright),
            ]
        } + [
            Part(rect: lane, color: Self.ground),
            Part(rect: PixelRect(x: x, y: lane.y, width: width, height: lane.height), color: Self.bar),
        ]
    }

    /// The cells of the number, most significant bit first.
    package var cells: [(left: PixelRect, right: PixelRect, isOne: Bool)] {
        let band = band(0, 0.1)
        return (0..<16).map { bit in
            let x = (0...2).map { even(Double(bit * 2 + $0) / 32, of: size.width) }
            return (
                PixelRect(x: x[0], y: 0, width: x[1] - x[0], height: band.height),
                PixelRect(x: x[1], y: 0, width: x[2] - x[1], height: band.height),
                number >> (15 - bit) & 1 == 1
            )
        }
    }

    /// The text, black on white: a repeating sequence of 16 glyphs of random strokes.
    private var text: [Part] {
        let band = band(0.4, 0.6)
        let (columns, rows) = (size.width * 3 / 4 / Self.glyphWidth, band.height / Self.glyphHeight)
        let page = PixelRect(
            x: even(0.1, of: size.width), y: band.y, width: columns * Self.glyphWidth, height: rows * Self.glyphHeight)
        var parts = [Part(rect: page, color: KnownColor(255, 255, 255))]
        var generator = SeededGenerator(seed: 92)
        let glyphs = (0..<16).map { _ in (0..<7).map { _ in Int.random(in: 1..<32, using: &generator) } }
        for row in 0..<rows {
            for column in 0..<columns {
                let (x, y) = (page.x + column * Self.glyphWidth + 1, page.y + row * Self.glyphHeight + 1)
                for (line, bits) in glyphs[(row + column) % 16].enumerated() {
                    var at = 0
                    while at < 5 {
                        let length = (bits >> at).trailingOnes
                        if length > 0 {
                            let rect = PixelRect(x: x + at, y: y + line, width: length, height: 1)
                            parts.append(Part(rect: rect, color: KnownColor(0, 0, 0)))
                        }
                        at += length + 1
                    }
                }
            }
        }
        return parts
    }
}

extension Int {
    fileprivate var trailingOnes: Int { (~self).trailingZeroBitCount }
}
