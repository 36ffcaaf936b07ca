import Synchronization

/// A queue of lines from the reading thread to the single task that waits for them.
final class LineInbox: Sendable {
    private struct State {
        var lines: [PeerLine] = []
        /// Why no more lines will arrive; `nil` while they may.
        var ended: ForeignPeerError?
        var waiter: (id: UInt64, continuation: CheckedContinuation<PeerLine, any Error>)?
        var nextWait: UInt64 = 0
    }

    private let state = Mutex(State())

    func put(_ line: PeerLine) {
        let waiter = state.withLock { state -> CheckedContinuation<PeerLine, any Error>? in
            guard let waiter = state.waiter else {
                state.lines.append(line)
                return nil
            }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume(returning: line)
    }

    func end(_ why: ForeignPeerError) {
        let waiter = state.withLock { state in
            state.ended = state.ended ?? why
            defer { state.waiter = nil }
            return state.waiter?.continuation
        }
        waiter?.resume(throwing: why)
    }

    /// Returns the next line. Only one task at a time may wait.
    func next(within limit: Duration) async throws -> PeerLine {
        let id = state.withLock { state in
            state.nextWait += 1
            return state.nextWait
        }
        let alarm = Task {
            try await Task.sleep(for: limit)
            self.giveUp(id, ForeignPeerError(description: "nothing came within \(limit)"))
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<PeerLine, any Error>? in
                    if !state.lines.isEmpty { return .success(state.lines.removeFirst()) }
                    if let ended = state.ended { return .failure(ended) }
                    precondition(state.waiter == nil, "two tasks wait for one peer")
                    // A cancellation is seen here or by the handler, which takes the same lock.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiter = (id, continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            giveUp(id, CancellationError())
        }
    }

    private func giveUp(_ id: UInt64, _ error: any Error) {
        let waiter = state.withLock { state -> CheckedContinuation<PeerLine, any Error>? in
            guard let waiter = state.waiter, waiter.id == id else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume(throwing: error)
    }
}
