package import HelioCore

/// An action that a gesture has caused, for the host or for the view.
package enum GestureAction: Hashable, Sendable {
    /// Move the pointer by this much, in pixels of the host's screen.
    case move(dx: Int, dy: Int)
    /// Press and release a button at once. Hosts recognise double clicks themselves, as they do for a mouse.
    case click(PointerButton)
    case button(PointerButton, isDown: Bool)
    /// Scroll, in wheel notches times 120: positive is up and right.
    case scroll(dx: Int, dy: Int)
    /// Set the view's scale, keeping the given point of the view in place.
    case zoom(scale: Double, x: Double, y: Double)
    /// Move the view's content by this much, in points of the view.
    case pan(dx: Double, dy: Double)
    case resetZoom
}
