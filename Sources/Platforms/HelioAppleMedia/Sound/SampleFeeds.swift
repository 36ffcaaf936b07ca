package import HelioCore
private import Synchronization

/// Routes the samples of screen capture or a broadcast to the sound captures, separately for the apps and the
/// microphone (requirement rows 154, 159).
package final class SampleFeeds: Sendable {
    private struct State {
        var intakes: [SoundOrigin: SampleIntake] = [:]
        var unclaimed: UInt64 = 0
        /// The human-readable name of the screen capture or broadcast that provides the samples, by origin.
        var names: [SoundOrigin: String] = [:]
        var listener: (@Sendable (Set<SoundOrigin>) -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of callbacks whose samples were dropped, as no sound capture was attached to their origin.
    package var unclaimed: UInt64 { state.withLock { $0.unclaimed } }

    /// Announces that samples of the system's sound or of the microphone will now be provided.
    ///
    /// - Parameter name: the human-readable name of the screen capture or broadcast; `nil` announces the end of the
    ///   samples.
    package func announce(_ name: String?, of origin: SoundOrigin) { state.withLock { $0.names[origin] = name } }

    package func name(of origin: SoundOrigin) -> String? { state.withLock { $0.names[origin] } }

    /// Routes the samples of one `SoundOrigin` to an intake, which replaces an earlier intake.
    func attach(_ intake: SampleIntake, to origin: SoundOrigin) {
        change { $0.intakes[origin] = intake }
    }

    func detach(_ intake: SampleIntake, from origin: SoundOrigin) {
        change { if $0.intakes[origin] === intake { $0.intakes[origin] = nil } }
    }

    /// Sets the listener, which replaces an earlier one. It is called with the wanted origins, immediately and at each
    /// change, under a lock, so it must not call this object.
    package func listen(_ listener: @escaping @Sendable (_ wanted: Set<SoundOrigin>) -> Void) {
        change { $0.listener = listener }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.listener?(Set(state.intakes.keys))
        }
    }

    /// Routes the samples of one callback. Callable from any thread, but one at a time for each origin.
    ///
    /// - Parameters:
    ///   - planes: the buffers, used only during this call.
    ///   - format: the layout; `nil` if it is unknown.
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
