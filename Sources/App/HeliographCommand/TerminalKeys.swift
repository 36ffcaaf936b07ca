@preconcurrency private import Dispatch
private import Foundation
private import Synchronization

/// Reads the terminal that this program runs in, key by key: without Enter, and without echo.
///
/// Ctrl-C and Ctrl-Z do what they always do. The terminal's mode is restored while the program is stopped, and after
/// `close`. Keys typed while another program has the terminal are not touched.
final class TerminalKeys: Sendable {
    /// The time for which a terminal that another program has is left alone.
    private static let pause = DispatchTimeInterval.seconds(1)

    private let sources: [any DispatchSourceProtocol]

    /// Opens the terminal; `nil` where nobody can type: see `TerminalQuestion.isPossible`.
    ///
    /// - Parameter ready: called on some thread, one call at a time, when `read` has keys.
    init?(_ ready: @escaping @Sendable () -> Void) {
        guard TerminalMode.setKeyByKey(echoes: false) else { return nil }
        let queue = DispatchQueue(label: "heliograph-keys")
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        input.setEventHandler {
            if TerminalQuestion.isPossible { return ready() }
            // Reading now would stop this program, and not reading would be asked for again at once.
            input.suspend()
            queue.asyncAfter(deadline: .now() + Self.pause) { input.resume() }
        }
        let stopped = Self.source(of: SIGTSTP, queue) {
            TerminalMode.restore()
            raise(SIGSTOP)
        }
        let continued = Self.source(of: SIGCONT, queue) { _ = TerminalMode.setKeyByKey(echoes: false) }
        sources = [input, stopped, continued]
        // A signal that comes before its source is there would be ignored, or do what it does by default.
        let registered = DispatchGroup()
        for source in [stopped, continued] {
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
        }
        for source in sources { source.resume() }
        registered.wait()
    }

    /// Reads the typed keys; `nil` when the terminal is gone. Does not wait within the call of `ready`.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        sources[0].cancel()
        return nil
    }

    /// Drops the keys that were typed and not read.
    func drain() { tcflush(STDIN_FILENO, TCIFLUSH) }

    /// Restores the terminal's mode.
    func close() {
        for source in sources { source.cancel() }
        TerminalMode.restore()
    }

    private static func source(
        of number: Int32, _ queue: DispatchQueue, _ handle: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        if number == SIGTSTP { signal(number, SIG_IGN) }
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handle)
        return source
    }
}
