internal import HelioCore

/// A damaged region, where `nil` is everything.
extension Region? {
    /// Forms the union with another region.
    mutating func add(_ other: Region?) {
        guard let other else {
            self = nil
            return
        }
        self?.add(other)
    }
}
