package import HelioCore
import HelioWayland

/// The pointer of a compositor's output: its shape and place where they come beside the pictures.
///
/// The shape is one transparent pixel while the compositor draws the pointer into the pictures, or has it elsewhere, so
/// that the viewer shows no second pointer of its own.
package final class WlrCursorSource: CursorSource {
    private static let hidden = CursorShape(
        size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [0, 0, 0, 0])

    private let capture: WlrScreenCapture
    private var told: CursorShape?
    private var last: (x: Int, y: Int)?

    init(_ capture: WlrScreenCapture) { self.capture = capture }

    package func takeShape() -> CursorShape? {
        let pointer = capture.pointer
        let shape = pointer?.isInside == true ? pointer?.shape ?? Self.hidden : Self.hidden
        if shape == told { return nil }
        told = shape
        return shape
    }

    package func takePosition() -> (x: Int, y: Int)? {
        let size = capture.shownSize
        guard let now = capture.pointer, now.isInside, now.shape != nil, now.x >= 0, now.y >= 0, now.x < size.width,
            now.y < size.height
        else {
            last = nil
            return nil
        }
        if let last, last == (now.x, now.y) { return nil }
        last = (now.x, now.y)
        return last
    }

    package var isOnScreen: Bool { last != nil }
}
