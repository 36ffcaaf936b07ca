import HelioAppleMedia
import HelioCore
import Synchronization

/// A virtual clock. Each wait runs the next step of the script, or advances the time to its end.
final class ScriptedWaiter: CaptureWaiting {
    private struct State: Sendable {
        var now = Instant.zero
        var script: [@Sendable () -> Void] = []
        var signals = 0
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var signals: Int { state.withLock { $0.signals } }

    func advance(_ duration: Duration) { state.withLock { $0.now = $0.now + duration } }
    func during(_ step: @escaping @Sendable () -> Void) { state.withLock { $0.script.append(step) } }
    func signal() { state.withLock { $0.signals += 1 } }

    func wait(until: Instant?) {
        let step = state.withLock { $0.script.isEmpty ? nil : $0.script.removeFirst() }
        if let step { return step() }
        guard let until else { preconditionFailure("a wait that nothing ends") }
        state.withLock { $0.now = max($0.now, until) }
    }
}
