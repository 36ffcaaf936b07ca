import HelioCore

/// A finger on the glass: its position, the time of its last move, and where its present gesture began.
struct Finger {
    let id: Int
    var place: Place
    var origin: Place
    var moved: Instant

    /// The displacement from the gesture's origin to the present position.
    var way: Place { place - origin }
}
