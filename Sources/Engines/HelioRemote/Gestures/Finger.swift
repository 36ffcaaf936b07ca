import HelioCore

/// A finger on the glass: its position, the time of its last move, and the origin of its present gesture.
struct Finger {
    let id: Int
    var place: Place
    var origin: Place
    var moved: Instant

    /// The way from its origin.
    var way: Place { place - origin }
}
