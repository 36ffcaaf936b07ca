/// The limits of what Heliograph works with, so that a hostile parameter set can't ask for memory without end.
enum SequenceLimits {
    /// The most pixels in each direction.
    static let maximumExtent = 16384
    /// The most bytes of a parameter set that are looked at; real ones have less than 100.
    static let maximumBytes = 4096
}
