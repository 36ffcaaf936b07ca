import HelioBroadcast
import HelioCore
import HelioLocalSocket
import HelioLoop
private import Synchronization

/// What the sender's thread shares with everybody else: the engine, and what wakes the thread.
final class SRTSenderCore: Sendable {
    private struct State {
        var broadcast: Broadcast
        var link = SRTStatistics()
    }

    let pipe: WakePipe
    private let state: Mutex<State>

    init(_ pipe: WakePipe, _ broadcast: consuming Broadcast) {
        self.pipe = pipe
        state = Mutex(State(broadcast: broadcast))
    }

    /// Any thread.
    func handle(_ input: Broadcast.Input) {
        state.withLock { $0.broadcast.handle(input, now: MonotonicClock.now) }
        pipe.signal()
    }

    var statistics: BroadcastStatistics { state.withLock { $0.broadcast.statistics(now: MonotonicClock.now) } }

    var linkStatistics: SRTStatistics { state.withLock { $0.link } }

    func updateLink(_ change: (inout SRTStatistics) -> Void) { state.withLock { change(&$0.link) } }

    // MARK: - The sender's thread

    /// The next output at this time.
    func poll() -> Broadcast.Output? {
        state.withLock { state in
            state.broadcast.tick(now: MonotonicClock.now)
            return state.broadcast.poll()
        }
    }

    func next() -> BroadcastUnit? { state.withLock { $0.broadcast.next(now: MonotonicClock.now) } }

    var isOver: Bool { state.withLock { $0.broadcast.isOver } }

    var isEnding: Bool { state.withLock { $0.broadcast.isEnding } }

    /// Waits until something is put in, the engine has something to do, or so long.
    func wait(atMost limit: Duration? = nil) {
        let deadline = state.withLock { $0.broadcast.deadline }
        var wait = deadline.map { max(.zero, $0.at - MonotonicClock.now) }
        if let limit { wait = min(wait ?? limit, limit) }
        waitForWake(atMost: wait ?? .seconds(60))
    }

    /// Waits until something is put in, or so long.
    func waitForWake(atMost limit: Duration) {
        _ = pipe.wait(within: limit)
        pipe.drain()
    }
}
