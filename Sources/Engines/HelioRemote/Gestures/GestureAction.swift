package import HelioCore

/// A result of a gesture, for the host or for the view.
package enum GestureAction: Hashable, Sendable {
    /// Move the pointer so far, in pixels of the host's screen.
    case move(dx: Int, dy: Int)
    /// Press and release a button at once. Hosts make double clicks of two by themselves, as they do of a mouse's.
    case click(PointerButton)
    case button(PointerButton, isDown: Bool)
    /// Scroll by notches times 120: positive is up and right.
    case scroll(dx: Int, dy: Int)
    /// Set the view's scale; the given point of the view stays where it is.
    case zoom(scale: Double, x: Double, y: Double)
    /// Move the view's content so far, in points of the view.
    case pan(dx: Double, dy: Double)
    case resetZoom
}
