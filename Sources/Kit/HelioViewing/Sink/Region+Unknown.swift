internal import HelioCore

/// A damaged region; `nil` means the whole picture.
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
