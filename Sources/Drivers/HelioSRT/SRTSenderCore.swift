import HelioCore
import HelioSRTLink
private import Synchronization

/// What the sender's thread shares with everybody else.
final class SRTSenderCore: Sendable {
    private struct State {
        var queue: SRTGroupQueue
        var isConnected = false
        var isClosing = false
        var statistics = SRTStatistics()
    }

    let pipe: WakePipe
    private let state: Mutex<State>

    init(_ pipe: WakePipe, _ options: SRTOptions) {
        self.pipe = pipe
        state = Mutex(State(queue: SRTGroupQueue(age: options.queueAge)))
    }

    func put(_ group: SRTMessageGroup, now: Instant) {
        let wakes = state.withLock { state in
            guard state.isConnected, !state.isClosing else {
                state.queue.refuse(state.isClosing ? .ended : .notConnected)
                return false
            }
            let wasEmpty = state.queue.isEmpty
            state.queue.put(group, now: now)
            return wasEmpty
        }
        if wakes { pipe.wake() }
    }

    func close() {
        state.withLock { $0.isClosing = true }
        pipe.wake()
    }

    var isClosing: Bool { state.withLock { $0.isClosing } }

    var statistics: SRTStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.drops.add(state.queue.drops)
            return statistics
        }
    }

    func updateStatistics(_ change: (inout SRTStatistics) -> Void) { state.withLock { change(&$0.statistics) } }

    func takeFirst(now: Instant) -> SRTMessageGroup? { state.withLock { $0.queue.takeFirst(now: now) } }

    func takeWish() -> Bool { state.withLock { $0.queue.takeWish() } }

    /// From now on groups are taken.
    func connect() { state.withLock { $0.isConnected = true } }

    /// From now on they are not; those that wait are dropped.
    func disconnect(_ reason: SRTDrop) {
        state.withLock { state in
            state.isConnected = false
            state.queue.clear(reason)
        }
    }
}
