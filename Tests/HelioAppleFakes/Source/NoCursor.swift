package import HelioCore

/// A pointer that is never there.
package final class NoCursor: CursorSource {
    package let isOnScreen = false

    init() {}

    package func takeShape() -> CursorShape? { nil }
    package func takePosition() -> (x: Int, y: Int)? { nil }
}
