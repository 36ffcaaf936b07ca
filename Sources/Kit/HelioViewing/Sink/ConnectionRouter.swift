private import Foundation
internal import HelioRemote
internal import HelioSession
private import Synchronization

/// The viewer's present connection, which changes when a lost host is tried again: other threads reach it here.
final class ConnectionRouter: Sendable {
    private struct State {
        var connection: SinkConnection?
        var closing = 0
        /// Of connections that were replaced.
        var earlierDrops: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let closed = DispatchSemaphore(value: 0)

    /// Closes the connection there was, in the background.
    func replace(with connection: SinkConnection?) {
        let old = state.withLock { state in
            defer { state.connection = connection }
            if let old = state.connection {
                state.closing += 1
                state.earlierDrops.merge(old.drops) { $0 + $1 }
            }
            return state.connection
        }
        guard let old else { return }
        Task { [self] in
            await old.close()
            closed.signal()
        }
    }

    func send(_ event: InputEvent) { state.withLock { $0.connection }?.send(event) }
    func submit(_ input: SinkSession.Input) { state.withLock { $0.connection }?.submit(input) }
    func takeNews() -> [SinkConnection.News] { state.withLock { $0.connection }?.takeNews() ?? [] }

    /// What all of them have thrown away, by name.
    var drops: [String: Int] {
        state.withLock { state in state.earlierDrops.merging(state.connection?.drops ?? [:]) { $0 + $1 } }
    }

    func askForStatistics() { state.withLock { $0.connection }?.askForStatistics() }

    /// Waits until all that was replaced has said good-bye: at the program's end.
    func waitUntilClosed() {
        let count = state.withLock { state in
            defer { state.closing = 0 }
            return state.closing
        }
        for _ in 0..<count { _ = closed.wait(timeout: .now() + 2) }
    }
}
