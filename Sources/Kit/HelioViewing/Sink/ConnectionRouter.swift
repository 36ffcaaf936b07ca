private import Foundation
internal import HelioRemote
internal import HelioSession
private import Synchronization

/// Routes calls from other threads to the viewer's current connection, which changes when a lost host is reconnected.
final class ConnectionRouter: Sendable {
    private struct State {
        var connection: SinkConnection?
        /// The last connection, which may still provide the content of the clipboard.
        var leaving: SinkConnection?
        var closing = 0
        /// The drops of replaced connections.
        var earlierDrops: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let closed = DispatchSemaphore(value: 0)

    /// Replaces the current connection, and closes the old one in the background.
    func replace(with connection: SinkConnection?) {
        let old = state.withLock { state in
            defer {
                state.leaving = connection == nil ? state.connection : nil
                state.connection = connection
            }
            if let old = state.connection {
                state.closing += 1
                state.earlierDrops.add(old.drops)
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
    func submit(_ input: SinkSession.Input) { state.withLock { $0.connection ?? $0.leaving }?.submit(input) }
    func takeNews() -> [SinkConnection.News] { state.withLock { $0.connection }?.takeNews() ?? [] }

    /// The number of dropped items of all connections so far, by reason.
    var drops: [String: Int] {
        state.withLock { state in state.earlierDrops.merging(state.connection?.drops ?? [:]) { $0 + $1 } }
    }

    func askForStatistics() { state.withLock { $0.connection }?.askForStatistics() }

    /// Waits until the replaced connections are closed, at the program's end: at most two seconds for each.
    func waitUntilClosed() {
        let count = state.withLock { state in
            defer { state.closing = 0 }
            return state.closing
        }
        for _ in 0..<count { _ = closed.wait(timeout: .now() + 2) }
        state.withLock { $0.leaving = nil }
    }
}
