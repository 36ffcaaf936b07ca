@preconcurrency private import Dispatch
private import Foundation
private import Synchronization

/// Turns Ctrl-C, Ctrl-\ and `kill` into an event, so that viewers are told and files are whole before the program ends.
///
/// That may take `patience`. Then the program ends, whatever it is at; so it does at a second signal.
enum StopSignals {
    /// The time between the first signal and the end.
    private static let patience = DispatchTimeInterval.milliseconds(1700)

    private struct State {
        /// The sources, for as long as the program runs: a signal that none takes would be ignored from then on.
        var sources: [any DispatchSourceSignal] = []
        /// True once a signal has come.
        var isStopping = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var handlers: [@Sendable () -> Void] = []
    }

    private static let state = Mutex(State())

    /// True where the program goes on until a signal ends it.
    static var isUsed: Bool { state.withLock { !$0.sources.isEmpty } }

    /// Takes the signals from now on.
    static func take() {
        // A thread of its own: those that all share may be busy.
        let queue = DispatchQueue(label: "heliograph-stop", qos: .userInteractive)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            let before = signal(number, SIG_IGN)
            // `nohup` has a hang-up ignored: it stays so. A shell's script has the others ignored by what it starts in the
            // background, but whoever sends them there means it.
            if number == SIGHUP, isIgnored(before) { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { arrived(number, queue) }
            source.resume()
            state.withLock { $0.sources.append(source) }
        }
    }

    /// Waits until a signal has come.
    static func wait() async {
        await withCheckedContinuation { continuation in
            let isStopping = state.withLock { state in
                if !state.isStopping { state.waiting.append(continuation) }
                return state.isStopping
            }
            if isStopping { continuation.resume() }
        }
    }

    /// Calls this once a signal has come: on a thread of its own, and at once where one has.
    static func whenStopping(_ handler: @escaping @Sendable () -> Void) {
        let isStopping = state.withLock { state in
            if !state.isStopping { state.handlers.append(handler) }
            return state.isStopping
        }
        if isStopping { handler() }
    }

    /// Stops as a signal does: for a key.
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
        // As shells tell of a program that a signal has ended. Nothing else is run: it might be what does not end.
        _exit(128 + number)
    }

    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
