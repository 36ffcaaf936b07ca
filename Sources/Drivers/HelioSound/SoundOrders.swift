internal import HelioCore

/// The orders from other threads to a sound-capturing thread.
struct SoundOrders: Sendable {
    var stop = false
    /// The new demand; `nil` if it has not changed.
    var demand: SoundDemand?
}
