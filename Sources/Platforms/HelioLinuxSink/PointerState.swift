internal import HelioCore

/// The state of this machine's pointer in the window.
struct PointerState {
    /// The last position in the window, in pixels; `nil` while the pointer is outside the window.
    var position: (x: Int, y: Int)?
    /// The buttons that are down at the host, in the order of their presses.
    var held: [PointerButton] = []
    /// The remainders of wheel movements, in 1/120 of a detent, each below 1.
    var wheel = (x: 0.0, y: 0.0)
}
