internal import HelioExtension

/// A simulated iPad screen, 1668x2388 upright, with scrolling lines that look like text.
///
/// The screen has two buffers: one is drawn while the encoder still reads the other. A rotation keeps both.
struct SyntheticScreen {
    private static let buffers = 2

    private let frames: [PlanarFrame]
    private(set) var picture: PlanarFrame

    init() {
        frames = (0..<Self.buffers).map { _ in PlanarFrame(PixelSize(width: 1668, height: 2388)) }
        picture = frames[0]
    }

    var size: PixelSize { picture.size }

    /// Rotates the screen by a quarter turn.
    func turn() { for frame in frames { frame.turn() } }

    /// Draws the picture with this number.
    mutating func draw(_ index: Int) {
        picture = frames[index % frames.count]
        let (width, height) = (size.width, size.height)
        // A third of the screen scrolls by two lines for each picture.
        for y in height / 3..<height * 2 / 3 {
            let line = picture.luma + y * width
            let row = UInt32(truncatingIfNeeded: (y + index * 2) / 12)
            let isGap = (y + index * 2) % 24 >= 16
            var x = 0
            while x < width {
                let hash = (row &* 2_654_435_761 ^ UInt32(x / 8) &* 40_503) >> 13
                let value: UInt8 = isGap || hash & 3 == 0 ? 235 : UInt8(16 + hash & 63)
                let end = min(x + 8, width)
                (line + x).update(repeating: value, count: end - x)
                x = end
            }
        }
    }
}
