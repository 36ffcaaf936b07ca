private import AVFAudio
private import Dispatch
internal import HelioCore

/// The clock that devices stamp their samples by, as instants: the one that stands still while the machine sleeps.
enum HostClock {
    static var now: Instant { Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }

    /// - Parameter hostTime: in the ticks of `mach_absolute_time`.
    static func instant(_ hostTime: UInt64) -> Instant { instant(seconds: AVAudioTime.seconds(forHostTime: hostTime)) }

    static func instant(seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(exactly: (seconds * 1e9).rounded()) ?? now.nanoseconds)
    }
}
