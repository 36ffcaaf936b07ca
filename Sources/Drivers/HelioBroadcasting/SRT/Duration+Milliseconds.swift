import HelioCore

extension Duration {
    /// The duration in milliseconds, from 0 to `Int32.max`; rounded up, so that a wait does not end too early.
    var wholeMilliseconds: Int32 { Int32(clamping: max(0, (nanoseconds &+ 999_999) / 1_000_000)) }
}
