import HelioBroadcast
import HelioCore
import HelioGround
private import Synchronization

/// The state that the sender's loop shares with other threads: the engine, and whether the loop was woken.
final class WHIPSenderCore: Sendable {
    private struct State {
        var broadcast: Broadcast
        var link = WHIPStatistics()
        var wake: (@Sendable () -> Void)?
        var isWoken = false
    }

    private let state: Mutex<State>

    init(_ broadcast: consuming Broadcast) { state = Mutex(State(broadcast: broadcast)) }

    /// Sets the function that wakes the loop: called by any thread, once until the loop begins its next turn.
    func whenWoken(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

    /// Hands an input to the engine, and wakes the loop. Callable from any thread.
    func handle(_ input: Broadcast.Input) {
        let wake = state.withLock { state in
            state.broadcast.handle(input, now: MonotonicClock.now)
            defer { state.isWoken = true }
            return state.isWoken ? nil : state.wake
        }
        wake?()
    }

    var statistics: BroadcastStatistics { state.withLock { $0.broadcast.statistics(now: MonotonicClock.now) } }

    var link: WHIPStatistics { state.withLock { $0.link } }

    // MARK: - The sender's loop

    func beginTurn() { state.withLock { $0.isWoken = false } }

    func setLink(_ link: WHIPStatistics) { state.withLock { $0.link = link } }

    /// Ticks the engine, and returns its next output.
    func poll() -> Broadcast.Output? {
        state.withLock { state in
            state.broadcast.tick(now: MonotonicClock.now)
            return state.broadcast.poll()
        }
    }

    func next() -> BroadcastUnit? { state.withLock { $0.broadcast.next(now: MonotonicClock.now) } }

    var isEnding: Bool { state.withLock { $0.broadcast.isEnding } }

    var deadline: Deadline? { state.withLock { $0.broadcast.deadline } }
}
