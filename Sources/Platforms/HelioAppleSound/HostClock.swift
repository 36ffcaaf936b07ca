private import AVFAudio
private import Dispatch
package import HelioCore

/// The clock of the timestamps of devices, displays and captures, as instants. It stands still while the machine
/// sleeps, like the clock of `HelioLoop`. On Apple's systems CLOCK_MONOTONIC continues during sleep.
package enum HostClock {
    package static var now: Instant { Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

    /// - Parameter hostTime: in the ticks of `mach_absolute_time`.
    package static func instant(_ hostTime: UInt64) -> Instant {
        instant(seconds: AVAudioTime.seconds(forHostTime: hostTime))
    }

    package static func instant(seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(exactly: (seconds * 1e9).rounded()) ?? now.nanoseconds)
    }
}
