internal import HelioCore

/// The orders of other threads to a thread that captures sound.
struct SoundOrders: Sendable {
    var stop = false
    /// The new demand; `nil` if it has not changed.
    var demand: SoundDemand?
}
