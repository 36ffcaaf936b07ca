package import HelioCore

/// What fingers mean, to the host or to the view.
package enum GestureAction: Hashable, Sendable {
    /// The pointer goes so far, in pixels of the host's screen.
    case move(dx: Int, dy: Int)
    /// Down and up at once. Hosts make double clicks of two by themselves, as they do of a mouse's.
    case click(PointerButton)
    case button(PointerButton, isDown: Bool)
    /// Notches times 120: positive is up and right.
    case scroll(dx: Int, dy: Int)
    /// The view's new scale, and the point of the view that stays where it is.
    case zoom(scale: Double, x: Double, y: Double)
    /// The view's content goes so far, in points of the view.
    case pan(dx: Double, dy: Double)
    case resetZoom
}
