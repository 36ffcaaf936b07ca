package import HelioCore

/// The pointer of a device that has none, or draws it into its pictures itself.
package final class NoCursor: CursorSource {
    package init() {}

    package var isOnScreen: Bool { false }
    package func takeShape() -> CursorShape? { nil }
    package func takePosition() -> (x: Int, y: Int)? { nil }
}
