private import Foundation
private import Synchronization

/// A thread for urgent work, with the highest priority that this user may set; or for other work, with the usual
/// priority.
package final class WorkerThread: Sendable {
    private struct State {
        var isDone = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - isUrgent: false for work that nobody waits for.
    ///   - body: handed over to the new thread; the caller touches nothing of it afterwards.
    @discardableResult
    package init(name: String, isUrgent: Bool = true, _ body: @escaping () -> Void) {
        nonisolated(unsafe) let body = body
        let thread = Thread { [self] in
            if isUrgent { ThreadPriority.raise() }
            body()
            let waiting = state.withLock { state in
                state.isDone = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
        thread.name = name
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Waits until the thread has ended.
    package func join() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.isDone { state.waiting.append(continuation) }
                return state.isDone
            }
            if isDone { continuation.resume() }
        }
    }
}
