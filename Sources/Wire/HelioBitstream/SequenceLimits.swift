/// Limits on the memory and time that a hostile parameter set can cost.
enum SequenceLimits {
    /// The maximum width and height in pixels.
    static let maximumExtent = 16384
    /// The maximum number of bytes of a parameter set that are read; real sets have fewer than 100.
    static let maximumBytes = 4096
}
