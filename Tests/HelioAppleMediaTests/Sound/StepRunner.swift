import HelioAppleMedia
import HelioCore
import Synchronization

/// A runner on the test's own thread with virtual time: delayed work runs when the test advances the time.
final class StepRunner: SerialRunner {
    private struct State {
        var now = Instant(nanoseconds: 1_000_000_000)
        var later: [(at: Instant, body: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var clock: @Sendable () -> Instant { { self.now } }
    /// The remaining times of the pending waits.
    var waits: [Duration] { state.withLock { state in state.later.map { $0.at - state.now } } }

    func sync(_ body: () -> Void) { body() }
    func async(_ body: @escaping @Sendable () -> Void) { body() }
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.later.append((at: $0.now + delay, body: body)) }
    }

    func advance(_ duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let now = state.now
            defer { state.later.removeAll { $0.at <= now } }
            return state.later.filter { $0.at <= now }.map(\.body)
        }
        for body in due { body() }
    }
}
