private import Foundation
internal import HelioCore
private import HelioGround
internal import HelioRemote
internal import HelioSession
private import Synchronization

/// A viewer's session with one host, used from any thread: the state of the host, and the current connection, which a
/// reconnection replaces.
final class HostWatch: DropCounting, Sendable {
    private struct State: DropCounting {
        var host: WatchedHost
        var connection: SinkConnection?
        /// The number of connections that are being closed in the background.
        var closing = 0
        /// The drops of replaced connections.
        var earlierDrops: [String: Int] = [:]

        var allDrops: [String: Int] { .sum(earlierDrops, connection) }
    }

    private let state: Mutex<State>
    private let closed = DispatchSemaphore(value: 0)

    init(_ target: ViewTarget) { state = Mutex(State(host: WatchedHost(target))) }

    var host: WatchedHost { state.withLock { $0.host } }
    var allowsControl: Bool { state.withLock { $0.host.allowsControl } }

    // MARK: The connection

    /// Connects to the host. An earlier connection is closed in the background.
    ///
    /// - Parameter bell: called on any thread when `takeNews` has items to return.
    func connect(
        _ setup: SinkConnection.Setup, to receiver: any StreamReceiving, bell: @escaping @Sendable () -> Void
    ) {
        let target = state.withLock { $0.host.connects() }
        replace(with: SinkConnection(target, setup, to: receiver, bell: bell))
    }

    /// Closes the connection in the background, with a goodbye to the host.
    func disconnect() { replace(with: nil) }

    private func replace(with connection: SinkConnection?) {
        let old = state.withLock { state in
            defer { state.connection = connection }
            if let old = state.connection {
                state.closing += 1
                state.earlierDrops.add(old)
            }
            return state.connection
        }
        guard let old else { return }
        Task { [self] in
            await old.close()
            closed.signal()
        }
    }

    /// Waits until the replaced connections are closed, at the program's end: at most two seconds for each.
    func waitUntilClosed() {
        let count = state.withLock { state in
            defer { state.closing = 0 }
            return state.closing
        }
        for _ in 0..<count { _ = closed.wait(timeout: .now() + 2) }
    }

    /// Closes the connection, with a goodbye to the host. Until this returns, the host may fetch the clipboard's
    /// content to keep it.
    func leave() async {
        await state.withLock { $0.connection }?.close()
        state.withLock { state in
            state.earlierDrops.add(state.connection)
            state.connection = nil
        }
    }

    // MARK: Requests

    func send(_ event: InputEvent) { state.withLock { $0.connection }?.send(event) }
    func submit(_ input: SinkSession.Input) { state.withLock { $0.connection }?.submit(input) }
    func askForStatistics() { state.withLock { $0.connection }?.askForStatistics() }

    /// Pauses or resumes the stream; video continues with a keyframe. A pause also applies to later connections.
    ///
    /// - Returns: true if the state has changed and there is a connection.
    @discardableResult
    func setPaused(_ isPaused: Bool) -> Bool {
        let connection = state.withLock { state in state.host.pause(isPaused) ? state.connection : nil }
        connection?.submit(isPaused ? .pause : .resume)
        return connection != nil
    }

    // MARK: News

    func takeNews() -> [SinkConnection.News] { state.withLock { $0.connection }?.takeNews() ?? [] }

    /// Interprets one item returned by `takeNews`; call it for each item in order. Throws the error that ends the
    /// session.
    func interpret(_ news: SinkConnection.News) throws(HelioError) -> WatchedHost.News {
        let meant = try state.withLock { state throws(HelioError) in
            try state.host.handle(news, now: MonotonicClock.now)
        }
        // A new connection starts unpaused, so the pause is requested again.
        if case .playing = meant, host.isPaused { submit(.pause) }
        return meant
    }

    /// Marks the stream as begun, before the viewer interprets the news of it. Returns true for the first time.
    func began() -> Bool { state.withLock { $0.host.began() } }

    /// The number of dropped items of all connections so far, by reason.
    var allDrops: [String: Int] { state.withLock { $0.allDrops } }
}
