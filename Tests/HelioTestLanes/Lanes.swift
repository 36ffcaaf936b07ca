package import Testing

/// Which lane of `script/test` runs a suite; without one of these it has no program, socket or clock, and runs beside all
/// the other engines in one process.
extension Tag {
    /// Runs real programs, sockets or threads, and it does not matter how fast they are: others run at the same time.
    @Tag package static var quiet: Self
    /// Measures time, or needs all cores: nothing else runs meanwhile.
    @Tag package static var timed: Self
    /// A test that waits for real minutes: `script/test nightly` runs it.
    @Tag package static var nightly: Self
}
