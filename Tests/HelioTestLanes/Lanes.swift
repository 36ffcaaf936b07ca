package import Testing

/// The lanes of `script/test` that run a suite; an untagged suite uses no program, socket or clock, and runs beside all
/// the other engines in one process.
extension Tag {
    /// Runs real programs, sockets or threads, independent of their speed: other suites run at the same time.
    @Tag package static var quiet: Self
    /// Measures time, or needs all cores: nothing else runs at the same time.
    @Tag package static var timed: Self
    /// Waits for real minutes: only `script/test nightly` runs it.
    @Tag package static var nightly: Self
}
