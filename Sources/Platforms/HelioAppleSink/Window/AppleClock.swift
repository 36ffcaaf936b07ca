internal import HelioCore
internal import QuartzCore

/// The clock that Core Animation tells times on; SwiftNIO's, and so Heliograph's, counts the same on Apple's systems.
enum AppleClock {
    static var now: Instant { instant(CACurrentMediaTime()) }

    static func instant(_ time: CFTimeInterval) -> Instant { Instant(nanoseconds: Int64(time * 1e9)) }
}
