internal import HelioCore

/// Damage, where `nil` is everything.
extension Region? {
    /// What either covers.
    mutating func add(_ other: Region?) {
        guard let other else {
            self = nil
            return
        }
        self?.add(other)
    }
}
