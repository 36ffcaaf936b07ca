import HelioBroadcast
import HelioCore
import HelioGround
private import Synchronization

/// The state that the sender's thread shares with others: the engine, and what wakes the thread.
final class SRTSenderCore: Sendable {
    private struct State {
        var broadcast: Broadcast
        var link = SRTStatistics()
    }

    let wakeup: Wakeup
    private let state: Mutex<State>

    init(_ wakeup: Wakeup, _ broadcast: consuming Broadcast) {
        self.wakeup = wakeup
        state = Mutex(State(broadcast: broadcast))
    }

    /// Hands an input to the engine, and wakes the sender's thread. Callable from any thread.
    func handle(_ input: Broadcast.Input) {
        state.withLock { $0.broadcast.handle(input, now: MonotonicClock.now) }
        wakeup.signal()
    }

    var statistics: BroadcastStatistics { state.withLock { $0.broadcast.statistics(now: MonotonicClock.now) } }

    var linkStatistics: SRTStatistics { state.withLock { $0.link } }

    func updateLink(_ change: (inout SRTStatistics) -> Void) { state.withLock { change(&$0.link) } }

    // MARK: - The sender's thread

    /// Ticks the engine, and returns its next output.
    func poll() -> Broadcast.Output? {
        state.withLock { state in
            state.broadcast.tick(now: MonotonicClock.now)
            return state.broadcast.poll()
        }
    }

    func next() -> BroadcastUnit? { state.withLock { $0.broadcast.next(now: MonotonicClock.now) } }

    var isOver: Bool { state.withLock { $0.broadcast.isOver } }

    var isEnding: Bool { state.withLock { $0.broadcast.isEnding } }

    /// Waits for an input, for the engine's deadline, or for `limit`.
    func wait(atMost limit: Duration? = nil) {
        let deadline = state.withLock { $0.broadcast.deadline }
        var wait = deadline.map { max(.zero, $0.at - MonotonicClock.now) }
        if let limit { wait = min(wait ?? limit, limit) }
        waitForWake(atMost: wait ?? .seconds(60))
    }

    /// Waits for an input, or for `limit`.
    func waitForWake(atMost limit: Duration) {
        _ = wakeup.wait(until: MonotonicClock.now + limit)
        wakeup.take()
    }
}
