@preconcurrency private import Dispatch
private import Foundation
private import Synchronization

/// Turns Ctrl-C, Ctrl-\ and `kill` into an event, so that viewers are notified and files are completed before the
/// program ends.
///
/// If the program has not ended after `patience`, or a second signal arrives, it is ended forcibly.
enum StopSignals {
    /// The time after the first signal at which the program is ended forcibly.
    private static let patience = DispatchTimeInterval.milliseconds(1700)

    private struct State {
        /// The signal sources, retained while the program runs; without its source a signal would be ignored.
        var sources: [any DispatchSourceSignal] = []
        /// True once a signal has arrived.
        var isStopping = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var handlers: [@Sendable () -> Void] = []
    }

    private static let state = Mutex(State())

    /// True once stop signals are handled.
    static var isUsed: Bool { state.withLock { !$0.sources.isEmpty } }

    /// True once a signal has arrived.
    static var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Handles the signals from now on. A signal that comes before this has returned has its effect as before.
    static func take() {
        // The sources have their own queue, because the shared queues may be busy.
        let queue = DispatchQueue(label: "heliograph-stop", qos: .userInteractive)
        let registered = DispatchGroup()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            // If `nohup` has made the program ignore SIGHUP, it stays ignored. A shell script also makes background
            // programs ignore SIGINT and SIGQUIT, but these are handled nevertheless, as they are only sent on purpose.
            if number == SIGHUP, isIgnored(number) { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { arrived(number, queue) }
            registered.enter()
            source.setRegistrationHandler {
                #if canImport(Darwin)
                // On Darwin a source sees a signal, but doesn't keep it from its effect.
                signal(number, SIG_IGN)
                #endif
                registered.leave()
            }
            source.resume()
            state.withLock { $0.sources.append(source) }
        }
        // Sources are registered by another thread, and until then they miss signals.
        registered.wait()
    }

    /// Waits until a signal has arrived.
    static func wait() async {
        await withCheckedContinuation { continuation in
            let isStopping = state.withLock { state in
                if !state.isStopping { state.waiting.append(continuation) }
                return state.isStopping
            }
            if isStopping { continuation.resume() }
        }
    }

    /// Calls a closure on the first signal, on the signal queue; at once if a signal has arrived already.
    static func whenStopping(_ handler: @escaping @Sendable () -> Void) {
        let isStopping = state.withLock { state in
            if !state.isStopping { state.handlers.append(handler) }
            return state.isStopping
        }
        if isStopping { handler() }
    }

    /// Stops the program in the same way as SIGINT; for the key `q`.
    static func stop() { kill(getpid(), SIGINT) }

    private static func arrived(_ number: Int32, _ queue: DispatchQueue) {
        let (isFirst, waiting, handlers) = state.withLock { state in
            defer { (state.isStopping, state.waiting, state.handlers) = (true, [], []) }
            return (!state.isStopping, state.waiting, state.handlers)
        }
        guard isFirst else { return endAtOnce(number) }
        queue.asyncAfter(deadline: .now() + patience) { endAtOnce(number) }
        for continuation in waiting { continuation.resume() }
        for handler in handlers { handler() }
    }

    private static func endAtOnce(_ number: Int32) {
        TerminalMode.restore()
        // The exit status follows the shells' convention for signals. Exit handlers are skipped, as one of them may be
        // the cause of the delay.
        _exit(128 + number)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
