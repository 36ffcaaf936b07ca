package import HelioCore

/// The pointer of a compositor that draws it into the picture: one transparent pixel, so that the viewer shows no
/// second pointer of its own.
package final class WlrCursorSource: CursorSource {
    private var isTold = false

    init() {}

    package func takeShape() -> CursorShape? {
        if isTold { return nil }
        isTold = true
        return CursorShape(size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [0, 0, 0, 0])
    }

    package func takePosition() -> (x: Int, y: Int)? { nil }

    package var isOnScreen: Bool { false }
}
