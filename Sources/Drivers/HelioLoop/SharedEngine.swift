package import HelioCore
internal import HelioGround
private import Synchronization

/// An engine that any thread may hand inputs to and read, while one driver executes its outputs.
///
/// The driver runs it like any other engine, by ``EngineLoop`` or a loop of its own. Other threads call ``submit(_:)``,
/// which wakes the driver at most once until the driver polls again.
package final class SharedEngine<E: Engine & SendableMetatype>: Engine, Sendable
where E.Input: Sendable, E.Output: Sendable {
    private struct State {
        var engine: E
        var wake: (@Sendable () -> Void)?
        /// True from a wake until the driver polls.
        var isWoken = false
    }

    private let state: Mutex<State>

    package init(_ engine: consuming sending E) { state = Mutex(State(engine: engine)) }

    /// Sets the function that wakes the driver, called on any thread; `nil` once the driver has ended.
    package func whenWoken(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

    /// Hands an input to the engine, and wakes the driver. Callable from any thread.
    package func submit(_ input: E.Input) {
        let wake = state.withLock { state in
            state.engine.handle(input, now: MonotonicClock.now)
            defer { state.isWoken = true }
            return state.isWoken ? nil : state.wake
        }
        wake?()
    }

    /// Reads the engine's state as of now. Callable from any thread.
    package func read<Value: Sendable>(_ body: (inout E, Instant) -> Value) -> Value {
        state.withLock { body(&$0.engine, MonotonicClock.now) }
    }

    // MARK: - The driver

    package func handle(_ input: E.Input, now: Instant) { state.withLock { $0.engine.handle(input, now: now) } }

    package func tick(now: Instant) { state.withLock { $0.engine.tick(now: now) } }

    package func poll() -> E.Output? {
        state.withLock { state in
            state.isWoken = false
            return state.engine.poll()
        }
    }

    package var deadline: Deadline? { state.withLock { $0.engine.deadline } }
}
