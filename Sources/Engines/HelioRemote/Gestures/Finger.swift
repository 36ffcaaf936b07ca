import HelioCore

/// A finger on the touch screen: its position, the position at which its present gesture began, and the time of its
/// last move.
struct Finger {
    let id: Int
    var place: Place
    var origin: Place
    var moved: Instant

    /// The displacement from the gesture's origin to the present position.
    var way: Place { place - origin }
}
