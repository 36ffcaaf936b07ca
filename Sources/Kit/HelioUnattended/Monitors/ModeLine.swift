package import HelioCore

/// The timings of a mode of 60 pictures a second, by VESA's Coordinated Video Timings with reduced blanking (CVT 1.1,
/// section 4), which every screen driver takes. Nobody looks at a virtual monitor, so only the driver's limits count.
package struct ModeLine: Sendable, Equatable {
    private static let refresh = 60.0
    /// The horizontal blanking, and its parts: front porch and sync, in pixels.
    private static let blank = 160, frontPorch = 48, sync = 32
    /// The vertical front porch and the least back porch, in lines, and the least vertical blanking in microseconds.
    private static let verticalFront = 3, verticalBack = 6, leastBlank = 460.0
    /// The step of pixel clocks, in MHz.
    private static let clockStep = 0.25

    package let name: String
    /// The pixel clock in MHz, and the positions of a line and of a picture: its end, the begin and end of sync, and
    /// the whole.
    package let words: [String]

    /// - Parameter size: the size, of which the width is rounded down to a multiple of 8.
    package init(_ size: PixelSize) {
        let (width, height) = (size.width / 8 * 8, size.height)
        name = "heliograph-\(width)x\(height)"
        let verticalSync = Self.verticalSync(width, height)
        let line = (1_000_000 / Self.refresh - Self.leastBlank) / Double(height)
        let blankLines = max(Int(Self.leastBlank / line) + 1, Self.verticalFront + verticalSync + Self.verticalBack)
        let (whole, lines) = (width + Self.blank, height + blankLines)
        let clock = (Self.refresh * Double(whole) * Double(lines) / 1_000_000 / Self.clockStep).rounded(.down)
        let hundredths = Int(clock * Self.clockStep * 100)
        let syncBegin = width + Self.frontPorch
        let text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        let numbers = [
            width, syncBegin, syncBegin + Self.sync, whole, height, height + Self.verticalFront,
            height + Self.verticalFront + verticalSync, lines,
        ]
        words = [text] + numbers.map(String.init) + ["+hsync", "-vsync"]
    }

    /// The lines of vertical sync, which tell a screen the shape of the picture.
    private static func verticalSync(_ width: Int, _ height: Int) -> Int {
        let shapes = [(4, 3, 4), (16, 9, 5), (16, 10, 6), (5, 4, 7), (15, 9, 7)]
        return shapes.first { height * $0.0 / $0.1 / 8 * 8 == width }?.2 ?? 10
    }
}
