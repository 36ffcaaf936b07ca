private import Foundation
internal import HelioCore
private import HelioGround
internal import HelioRemote
internal import HelioSession
private import NIOCore
private import NIOPosix
private import Synchronization

/// A viewer's session with one host, used from any thread: the state of the host, and the current connection, which a
/// reconnection replaces. All connections run on one event loop, from the first one until the session is left.
final class HostWatch: DropCounting, Sendable {
    private struct State: DropCounting {
        var host: WatchedHost
        var connection: SinkConnection?
        /// The group of the connections' event loop; `nil` before the first connection and after the session.
        var group: MultiThreadedEventLoopGroup?
        /// True once the session is left; there is no further connection.
        var isLeft = false
        /// The number of ends in the background that `waitUntilClosed` waits for.
        var closing = 0
        /// The task that ends when all replaced connections are closed.
        var closings: Task<Void, Never>?
        /// The drops of replaced connections.
        var earlierDrops: [String: Int] = [:]

        var allDrops: [String: Int] { .sum(earlierDrops, connection) }

        /// Returns the connections' event loop; starts it for the first one.
        mutating func loop() -> any EventLoop {
            if let group { return group.next() }
            let made = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            group = made
            let loop = made.next()
            loop.execute { ThreadPriority.raise() }
            return loop
        }
    }

    private let state: Mutex<State>
    private let closed = DispatchSemaphore(value: 0)

    init(_ target: ViewTarget) { state = Mutex(State(host: WatchedHost(target))) }

    var host: WatchedHost { state.withLock { $0.host } }
    var allowsControl: Bool { state.withLock { $0.host.allowsControl } }

    // MARK: The connection

    /// Connects to the host, unless the session is left. An earlier connection is closed in the background.
    ///
    /// - Parameter bell: called on any thread when `takeNews` has items to return.
    func connect(
        _ setup: SinkConnection.Setup, to receiver: any StreamReceiving, bell: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            guard !state.isLeft else { return }
            let target = state.host.connects()
            replace(with: SinkConnection(target, setup, on: state.loop(), to: receiver, bell: bell), &state)
        }
    }

    /// Leaves the session: closes the connection in the background, with a goodbye to the host, and then ends the event
    /// loop.
    func disconnect() {
        state.withLock { state in
            state.isLeft = true
            replace(with: nil, &state)
            guard let group = state.group else { return }
            state.group = nil
            state.closing += 1
            Task { [closed, closings = state.closings] in
                await Self.end(group, after: closings)
                closed.signal()
            }
        }
    }

    private func replace(with connection: SinkConnection?, _ state: inout State) {
        let old = state.connection
        state.connection = connection
        guard let old else { return }
        state.earlierDrops.add(old)
        state.closing += 1
        state.closings = Task { [closed, earlier = state.closings] in
            await old.close()
            closed.signal()
            await earlier?.value
        }
    }

    /// Ends the event loop once no connection uses it.
    private static func end(_ group: MultiThreadedEventLoopGroup?, after closings: Task<Void, Never>?) async {
        await closings?.value
        try? await group?.shutdownGracefully()
    }

    /// Waits until the connections are closed and their event loop has ended, at the program's end: at most two seconds
    /// for each.
    func waitUntilClosed() {
        let count = state.withLock { state in
            defer { state.closing = 0 }
            return state.closing
        }
        for _ in 0..<count { _ = closed.wait(timeout: .now() + 2) }
    }

    /// Leaves the session: closes the connection, with a goodbye to the host, and ends the event loop. Until this
    /// returns, the host may fetch the clipboard's content to keep it.
    func leave() async {
        let last = state.withLock { state in
            state.isLeft = true
            return state.connection
        }
        await last?.close()
        let (group, closings) = state.withLock { state in
            state.earlierDrops.add(state.connection)
            state.connection = nil
            defer { state.group = nil }
            return (state.group, state.closings)
        }
        await Self.end(group, after: closings)
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
