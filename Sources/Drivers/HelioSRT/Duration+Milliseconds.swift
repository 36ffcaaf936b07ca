import HelioCore

extension Duration {
    /// Rounded up, so that nobody who waits wakes too early and again; 0 to some days.
    var wholeMilliseconds: Int32 { Int32(clamping: max(0, (nanoseconds &+ 999_999) / 1_000_000)) }
}
