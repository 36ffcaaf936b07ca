import HelioCore

/// A finger on the glass: where it is and since when, and where its present gesture began.
struct Finger {
    let id: Int
    var place: Place
    var origin: Place
    var moved: Instant

    /// How far it has gone.
    var way: Place { place - origin }
}
