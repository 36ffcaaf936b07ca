private import ArgumentParser
@preconcurrency private import Dispatch
private import Foundation
private import Synchronization

/// Reads standard input line by line, on demand, at most one block ahead.
///
/// A waiting call can't be cancelled, because `read` can't. The program ends without waiting for it.
final class InputLines: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isOver = false
    }

    private let mostBytes: Int
    private let queue = DispatchQueue(label: "heliograph-input")
    private let state = Mutex(State())
    /// True while the terminal delivers typed input without waiting for Enter.
    private let isRaw = Mutex(false)

    /// - Parameter mostBytes: the maximum length of a line in bytes; a longer line is an error.
    init(mostBytes: Int = SignalledDescription.mostBytes) {
        self.mostBytes = mostBytes
    }

    /// Returns the next line without its end; `nil` after the last line.
    ///
    /// - Parameter isLong: true for a line that may exceed 4095 bytes, the limit of a terminal's line mode. The
    ///   terminal then delivers typed input at once, for the duration of this call.
    func next(isLong: Bool = false) async throws -> String? {
        let line: Result<String?, ValidationError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                if isLong { beginLongLine() }
                let line = read(isLong: isLong)
                restoreTerminal()
                continuation.resume(returning: line)
            }
        }
        return try line.get()
    }

    /// Restores the terminal's mode. Has to be called before the program ends.
    func restoreTerminal() {
        isRaw.withLock { isRaw in
            if isRaw { TerminalMode.restore() }
            isRaw = false
        }
    }

    private func beginLongLine() {
        let isSet = TerminalMode.setKeyByKey(echoes: true)
        isRaw.withLock { $0 = isSet }
    }

    private func read(isLong: Bool) -> Result<String?, ValidationError> {
        let isRaw = isLong && self.isRaw.withLock { $0 }
        var buffer = [UInt8](repeating: 0, count: 65536)
        var searched = 0
        while true {
            let found: Result<String?, ValidationError>? = state.withLock { state in
                if let end = state.waiting[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(state.waiting[..<end])
                    state.waiting.removeFirst(end + 1)
                    return .success(String(decoding: line, as: UTF8.self))
                }
                searched = state.waiting.count
                if state.waiting.count > mostBytes {
                    state.waiting = []
                    return .failure(ValidationError("A line on standard input is longer than \(mostBytes) bytes."))
                }
                guard state.isOver else { return nil }
                defer { state.waiting = [] }
                return .success(state.waiting.isEmpty ? nil : String(decoding: state.waiting, as: UTF8.self))
            }
            if let found { return found }
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            state.withLock { state in
                guard count > 0 else {
                    state.isOver = true
                    return
                }
                for byte in buffer[..<count] {
                    // The terminal's line editing is off, so handle backspace and Ctrl-D here.
                    if isRaw, byte == 0x7F || byte == 0x08 {
                        if !state.waiting.isEmpty { state.waiting.removeLast() }
                    } else if isRaw, byte == 0x04 {
                        state.isOver = true
                    } else {
                        state.waiting.append(byte)
                    }
                }
                searched = min(searched, state.waiting.count)
            }
        }
    }
}
