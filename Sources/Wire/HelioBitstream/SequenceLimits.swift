/// What Heliograph works with at most, so that a hostile parameter set can't ask for memory without end.
enum SequenceLimits {
    /// Pixels in each direction.
    static let maximumExtent = 16384
    /// Bytes of a parameter set that are looked at; real ones have less than 100.
    static let maximumBytes = 4096
}
