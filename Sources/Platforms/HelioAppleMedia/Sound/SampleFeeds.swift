package import HelioCore
private import Synchronization

/// Passes the samples of a screen's capture or of a broadcast to the captures of sound: those of the apps and those of
/// the microphone separately (rows 154, 159).
package final class SampleFeeds: Sendable {
    private struct State {
        var intakes: [SoundOrigin: SampleIntake] = [:]
        var unclaimed: UInt64 = 0
        /// The names of the capture or broadcast that feeds each origin, for people.
        var names: [SoundOrigin: String] = [:]
        var listener: (@Sendable (Set<SoundOrigin>) -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of callbacks whose samples were dropped, as no capture was attached to their origin.
    package var unclaimed: UInt64 { state.withLock { $0.unclaimed } }

    /// Announces that samples of an origin come from now on, with the name of the capture or broadcast, for people;
    /// `nil` announces their end.
    package func announce(_ name: String?, of origin: SoundOrigin) { state.withLock { $0.names[origin] = name } }

    package func name(of origin: SoundOrigin) -> String? { state.withLock { $0.names[origin] } }

    /// Routes the samples of an origin to an intake, in place of an earlier one.
    func attach(_ intake: SampleIntake, to origin: SoundOrigin) {
        change { $0.intakes[origin] = intake }
    }

    func detach(_ intake: SampleIntake, from origin: SoundOrigin) {
        change { if $0.intakes[origin] === intake { $0.intakes[origin] = nil } }
    }

    /// Sets the listener, in place of an earlier one: called with the wanted origins, at once and at each change. It is
    /// called within a lock, and must not call this object.
    package func listen(_ listener: @escaping @Sendable (_ wanted: Set<SoundOrigin>) -> Void) {
        change { $0.listener = listener }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.listener?(Set(state.intakes.keys))
        }
    }

    /// Takes the samples of one callback. Any thread, one at a time for each origin.
    ///
    /// - Parameters:
    ///   - planes: read within this call only.
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
