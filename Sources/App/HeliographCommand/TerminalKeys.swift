@preconcurrency private import Dispatch
private import Foundation
private import Synchronization

/// Reads single keys from the terminal that this program runs in, without Enter and without echo.
///
/// Ctrl-C and Ctrl-Z work as usual. The terminal's mode is restored while the program is suspended, and after `close`.
/// Keys typed while another program is in the terminal's foreground are left to that program.
final class TerminalKeys: Sendable {
    /// The polling interval while another program is in the terminal's foreground.
    private static let pause = DispatchTimeInterval.seconds(1)

    private let sources: [any DispatchSourceProtocol]

    /// Opens the terminal; `nil` if there is no interactive terminal (`TerminalQuestion.isPossible`).
    ///
    /// - Parameter ready: called on any thread, one call at a time, when `read` has keys.
    init?(_ ready: @escaping @Sendable () -> Void) {
        guard TerminalMode.setKeyByKey(echoes: false) else { return nil }
        let queue = DispatchQueue(label: "heliograph-keys")
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        input.setEventHandler {
            if TerminalQuestion.isPossible { return ready() }
            // Reading now would suspend this program, and an active source would fire again at once.
            input.suspend()
            queue.asyncAfter(deadline: .now() + Self.pause) { input.resume() }
        }
        let stopped = Self.source(of: SIGTSTP, queue) {
            TerminalMode.restore()
            raise(SIGSTOP)
        }
        let continued = Self.source(of: SIGCONT, queue) { _ = TerminalMode.setKeyByKey(echoes: false) }
        sources = [input, stopped, continued]
        // Wait for the registration: a signal that arrives before it would be ignored, or have its default effect.
        let registered = DispatchGroup()
        for source in [stopped, continued] {
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
        }
        for source in sources { source.resume() }
        registered.wait()
    }

    /// Returns the typed keys; `nil` if the terminal is gone. Does not block when called from `ready`.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        sources[0].cancel()
        return nil
    }

    /// Discards keys that were typed but not read.
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
