package import HelioCore
import HelioDesktop

/// The pointer of a desktop's session, which comes beside its pictures.
package final class DesktopCursorSource: CursorSource {
    private let capture: DesktopScreenCapture
    private var last: (x: Int, y: Int)?
    private var told: CursorShape?

    init(_ capture: DesktopScreenCapture) { self.capture = capture }

    package func takeShape() -> CursorShape? {
        guard let shape = capture.stream?.cursor.shape, shape != told else { return nil }
        told = shape
        return shape
    }

    package func takePosition() -> (x: Int, y: Int)? {
        let size = capture.shownSize
        guard let now = capture.stream?.cursor.position, now.x >= 0, now.y >= 0, now.x < size.width, now.y < size.height
        else {
            last = nil
            return nil
        }
        if let last, last == now { return nil }
        last = now
        return now
    }

    package var isOnScreen: Bool { last != nil }
}
