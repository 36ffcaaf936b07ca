private import Foundation
private import HelioCore
private import HelioGround
private import Synchronization

/// The only writer of one of this program's outputs. A thread of its own writes the lines in order, so that no caller
/// blocks on a stopped terminal, a pager, a full disk or a closed reader.
///
/// Lines that can't be written are dropped and counted in `drops`. Once lines can be written again, a notice reports
/// the number of missing lines.
package final class OutputWriter: Sendable {
    private struct State: Sendable {
        var queue: LineQueue
        /// The text of the last row; `isStatusNew` is true if it differs from the text on the terminal.
        var status: TerminalText?
        var isStatusNew = false
        var isShown = false
        /// True while lines or a status are queued or being written.
        var isBusy = false

        var hasWork: Bool { !queue.isEmpty || isStatusNew }
    }

    /// The only writer of standard output.
    package static let standard = OutputWriter(STDOUT_FILENO)
    /// The only writer of standard error.
    package static let error = OutputWriter(STDERR_FILENO)

    package let abilities: OutputAbilities
    private let descriptor: Int32
    private let state: ThreadMailbox<State>
    /// Receives the notices of missing lines instead of this output, if the output's lines are read by programs.
    private let noticed = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// The control sequence that moves the cursor to the start of the row and clears the row (ECMA-48, EL).
    private static let clear = "\r\u{1B}[K"

    /// - Parameters:
    ///   - descriptor: the descriptor of a file, a pipe or a terminal. It stays open, and only this object may write to
    ///     it.
    ///   - environment: the environment variables that determine the output's capabilities; `nil` for this program's
    ///     own.
    ///   - mostLines: the maximum number of queued lines.
    ///   - mostBytes: the maximum number of queued bytes.
    package init(
        _ descriptor: Int32, environment: [String: String]? = nil, mostLines: Int = 32768,
        mostBytes: Int = 8 << 20
    ) {
        self.descriptor = descriptor
        abilities = OutputAbilities(
            environment: environment ?? ProcessInfo.processInfo.environment, isTerminal: isatty(descriptor) != 0)
        state = ThreadMailbox(State(queue: LineQueue(mostLines: mostLines, mostBytes: mostBytes)))
        WorkerThread(name: "heliograph-output", isUrgent: false) { [self] in run() }
    }

    /// Queues a line, to be written above the status. Returns at once.
    package func write(_ line: TerminalText) {
        wake { $0.queue.put(line) }
    }

    /// Shows a text in the terminal's last row, below all lines, in place of the earlier text; `nil` removes it. Does
    /// nothing if the output is not a terminal, or a terminal whose cursor can't be moved back.
    package func show(_ status: TerminalText?) {
        guard abilities.movesCursor else { return }
        wake { state in
            guard state.status != status else { return }
            state.status = status
            state.isStatusNew = true
        }
    }

    /// The size of the terminal in columns and rows; `nil` if the output is not a terminal, or its size is unknown.
    package var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard abilities.isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The number of lines that were not written since the start, by reason.
    package var drops: [String: Int] {
        let drops = state.withLock { $0.queue.drops }
        return Dictionary(uniqueKeysWithValues: drops.map { ($0.key.rawValue, $0.value) })
    }

    /// Sends the notices of missing lines to `take`, for an output whose lines are read by programs.
    package func sendNotices(to take: @escaping @Sendable (String) -> Void) { noticed.withLock { $0 = take } }

    /// Waits until all queued lines are written, but no longer than `limit`; called before the program ends. Returns
    /// false if lines are left, which are then lost.
    @discardableResult
    package func drain(within limit: Duration) -> Bool {
        let end = MonotonicClock.now + limit
        return state.take(until: end) { $0.isBusy ? nil : true } ?? false
    }

    private func wake(_ change: (inout State) -> Void) {
        state.put { state in
            change(&state)
            if state.hasWork { state.isBusy = true }
        }
    }

    // MARK: The thread

    private func run() {
        while true {
            write(takeWork())
            state.put { $0.isBusy = $0.hasWork }
        }
    }

    private struct Work {
        var lines: [TerminalText]
        var status: TerminalText?
        /// True if the last row currently shows a status.
        var isShown: Bool
    }

    private func takeWork() -> Work {
        state.take { state -> Work? in
            guard state.hasWork else { return nil }
            let work = Work(lines: state.queue.takeAll(), status: state.status, isShown: state.isShown)
            state.isStatusNew = false
            state.isShown = state.status != nil
            return work
        }
    }

    private func write(_ work: Work) {
        if work.isShown { _ = put(Self.clear) }
        for line in work.lines { writeLine(line) }
        if let status = work.status { _ = put(status.shown(by: abilities, inColumns: size?.columns ?? 80)) }
    }

    private func writeLine(_ line: TerminalText) {
        if let why = put(line.shown(by: abilities) + "\n") {
            return state.withLock { $0.queue.drop(.notWritten, why) }
        }
        guard let notice = state.withLock({ $0.queue.takeNotice() }) else { return }
        if let take = noticed.withLock({ $0 }) { return take(notice) }
        if put(notice + "\n") != nil { state.withLock { $0.queue.drop(.notWritten, "they were not written") } }
    }

    /// True if a line was only partly written, so that the next line has to begin a new row. Used by the thread only.
    private let isBroken = Atomic(false)

    /// Writes a whole text; blocks for as long as the system takes.
    ///
    /// - Returns: `nil`, or the reason why the text could not be written.
    private func put(_ text: String) -> String? {
        var bytes = Array(text.utf8)
        if isBroken.load(ordering: .relaxed) { bytes.insert(UInt8(ascii: "\n"), at: 0) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                offset += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another process that shares the terminal or pipe has made it non-blocking.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, -1)
            case let error:
                if offset > 0 { isBroken.store(true, ordering: .relaxed) }
                return String(cString: strerror(error))
            }
        }
        isBroken.store(false, ordering: .relaxed)
        return nil
    }
}
