import Foundation
import HelioCore
import Synchronization

/// The output of a program, read by a separate thread, so that no program blocks because a test does not read.
final class ProgramOutput: Sendable {
    /// The outcome of a wait.
    enum Outcome<Value> {
        case found(Value)
        /// The program and its descendants have closed their output.
        case over
        /// The time-out has passed.
        case silent
    }

    private struct State {
        var bytes: [UInt8] = []
        /// The offset in `bytes` of the first unread line.
        var next = 0
        /// The offset up to which no line feed was found, starting at `next`.
        var searched = 0
        var isOver = false

        var text: String { String(decoding: bytes, as: UTF8.self) }

        mutating func takeLine() -> String? {
            guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
                searched = bytes.count
                return nil
            }
            let line = String(decoding: bytes[next..<end], as: UTF8.self)
            (next, searched) = (end + 1, end + 1)
            return line
        }
    }

    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)

    /// - Parameter pipe: the output of a program that was already started.
    init(_ pipe: Pipe) throws {
        try pipe.fileHandleForWriting.close()
        let descriptor = fcntl(pipe.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        // On Linux, a `readabilityHandler` is sometimes not called for an end of file that occurs while it reads.
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                add(buffer.prefix(max(0, count)))
                if count <= 0 { break }
            }
            close(descriptor)
        }
    }

    private func add(_ bytes: ArraySlice<UInt8>) {
        state.withLock { state in
            if bytes.isEmpty { state.isOver = true }
            state.bytes += bytes
        }
        bell.signal()
    }

    /// The whole output so far.
    var text: String { state.withLock { $0.text } }

    /// Returns the next unread line.
    func line(_ patience: Patience) -> Outcome<String> {
        // Ends after the time-out even if the program writes without end.
        wait(patience) { state in patience.isOver ? nil : state.takeLine() }
    }

    /// Skips the unread lines.
    func skipLines() {
        state.withLock { state in
            guard let end = state.bytes.lastIndex(of: UInt8(ascii: "\n")), end >= state.next else { return }
            (state.next, state.searched) = (end + 1, end + 1)
        }
    }

    /// Waits until the whole output meets a condition.
    func text(_ patience: Patience, where isWanted: (String) -> Bool) -> Outcome<String> {
        wait(patience) { state in
            let text = state.text
            return isWanted(text) ? text : nil
        }
    }

    /// Waits until the program has closed its output; returns false after the time-out.
    func isOver(_ patience: Patience) -> Bool {
        if case .over = wait(patience, { _ in nil as Void? }) { true } else { false }
    }

    private func wait<Value>(_ patience: Patience, _ find: (inout State) -> Value?) -> Outcome<Value> {
        while true {
            let outcome: Outcome<Value>? = state.withLock { state in
                if let value = find(&state) { return .found(value) }
                return state.isOver ? .over : nil
            }
            if let outcome { return outcome }
            if bell.wait(timeout: .now() + patience.left.inSeconds) == .timedOut { return .silent }
        }
    }
}
