/// Limits that keep a hostile parameter set from demanding unbounded memory.
enum SequenceLimits {
    /// The most pixels in each direction.
    static let maximumExtent = 16384
    /// The most bytes of a parameter set that are read; real ones have fewer than 100.
    static let maximumBytes = 4096
}
