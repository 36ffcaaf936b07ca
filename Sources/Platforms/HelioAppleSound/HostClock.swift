private import AVFAudio
package import HelioCore
private import HelioGround

/// The timestamps of devices, displays and captures, as instants: all are of the clock that `MonotonicClock` reads.
package enum HostClock {
    /// - Parameter hostTime: in the ticks of `mach_absolute_time`.
    package static func instant(_ hostTime: UInt64) -> Instant {
        instant(seconds: AVAudioTime.seconds(forHostTime: hostTime))
    }

    package static func instant(seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(exactly: (seconds * 1e9).rounded()) ?? MonotonicClock.now.nanoseconds)
    }
}
