package import HelioCore
private import Synchronization

/// Hands the samples of a screen's capture or of a broadcast to whoever captures sound: what the app plays and the
/// microphone apart (rows 154, 159).
package final class SampleFeeds: Sendable {
    private struct State {
        var intakes: [SoundOrigin: SampleIntake] = [:]
        var unclaimed: UInt64 = 0
        /// Names of what feeds each origin, for people.
        var names: [SoundOrigin: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The callbacks of which nobody wanted the samples.
    package var unclaimed: UInt64 { state.withLock { $0.unclaimed } }

    /// Says that samples of an origin come from now on, and from what; `nil`: no more.
    package func announce(_ name: String?, of origin: SoundOrigin) { state.withLock { $0.names[origin] = name } }

    package func name(of origin: SoundOrigin) -> String? { state.withLock { $0.names[origin] } }

    /// Has samples of an origin go into an intake, in place of an earlier one.
    func attach(_ intake: SampleIntake, to origin: SoundOrigin) { state.withLock { $0.intakes[origin] = intake } }

    func detach(_ intake: SampleIntake, from origin: SoundOrigin) {
        state.withLock { if $0.intakes[origin] === intake { $0.intakes[origin] = nil } }
    }

    /// Takes the samples of one callback. Any thread, one at a time for each origin.
    ///
    /// - Parameters:
    ///   - planes: only read within this call.
    ///   - format: `nil` where it is none that is known.
    package func take(
        _ planes: [UnsafeRawBufferPointer], _ format: DeviceSampleFormat?, of origin: SoundOrigin, captured: Instant
    ) {
        let intake = state.withLock { state in
            if state.intakes[origin] == nil { state.unclaimed += 1 }
            return state.intakes[origin]
        }
        intake?.take(planes, format, captured: captured)
    }
}
