import Foundation
import HelioCore
import Synchronization

/// The output of a program, read as it comes by a thread of its own: no program stands still because a test does not read.
final class ProgramOutput: Sendable {
    /// How a wait has ended.
    enum Outcome<Value> {
        case found(Value)
        /// The program has said all: it and what it has started have closed their output.
        case over
        /// Patience has ended first.
        case silent
    }

    private struct State {
        var bytes: [UInt8] = []
        /// The offset in `bytes` of the first line that nobody has read.
        var next = 0
        /// The offset up to which no line feed was found, from `next` on.
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

    /// - Parameter pipe: the program's output; it has been started.
    init(_ pipe: Pipe) throws {
        try pipe.fileHandleForWriting.close()
        let descriptor = fcntl(pipe.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        // A `readabilityHandler` on Linux now and then is not told of an end that comes while it reads.
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

    /// All that was said so far.
    var text: String { state.withLock { $0.text } }

    /// The next line that nobody has read.
    func line(_ patience: Patience) -> Outcome<String> {
        // One that never stops is not read for ever.
        wait(patience) { state in patience.isOver ? nil : state.takeLine() }
    }

    /// Leaves out the lines that nobody has read.
    func skipLines() {
        state.withLock { state in
            guard let end = state.bytes.lastIndex(of: UInt8(ascii: "\n")), end >= state.next else { return }
            (state.next, state.searched) = (end + 1, end + 1)
        }
    }

    /// Waits until all that was said is as wanted.
    func text(_ patience: Patience, where isWanted: (String) -> Bool) -> Outcome<String> {
        wait(patience) { state in
            let text = state.text
            return isWanted(text) ? text : nil
        }
    }

    /// Waits until the program has said all; false where patience ends first.
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
