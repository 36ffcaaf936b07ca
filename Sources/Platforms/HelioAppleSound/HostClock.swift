private import AVFAudio
package import HelioCore
private import HelioGround

/// Converts timestamps of devices, displays and captures to instants; their clock is that of `MonotonicClock`.
package enum HostClock {
    /// Converts a host time.
    ///
    /// - Parameter hostTime: the time in ticks of `mach_absolute_time`.
    package static func instant(_ hostTime: UInt64) -> Instant {
        instant(seconds: AVAudioTime.seconds(forHostTime: hostTime))
    }

    package static func instant(seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(exactly: (seconds * 1e9).rounded()) ?? MonotonicClock.now.nanoseconds)
    }
}
