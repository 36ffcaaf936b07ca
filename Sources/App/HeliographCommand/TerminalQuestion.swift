@preconcurrency private import Dispatch
private import Foundation
private import Synchronization

/// A question to the user at the terminal.
final class TerminalQuestion: Sendable {
    private struct State {
        var continuation: CheckedContinuation<String?, Never>?
        var isOver = false
        var line: [UInt8] = []
    }

    private static let longestLine = 256

    private let state = Mutex(State())

    private init() {}

    /// True if the user can be asked: standard input is a terminal, and this program is in the foreground, so that
    /// reading does not suspend it.
    static var isPossible: Bool {
        guard isatty(STDIN_FILENO) != 0 else { return false }
        let foreground = tcgetpgrp(STDIN_FILENO)
        return foreground == -1 || foreground == getpgrp()
    }

    /// Prints the question and waits for a line. Returns the line in lower case, or `nil` if the task is cancelled or
    /// the terminal is closed.
    ///
    /// Input typed before the question is discarded, because it can't be an answer.
    static func ask(_ question: String) async -> String? {
        tcflush(STDIN_FILENO, TCIFLUSH)
        say(question)
        let asked = TerminalQuestion()
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        source.setEventHandler { asked.read() }
        defer { source.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = asked.state.withLock { state in
                    if !state.isOver { state.continuation = continuation }
                    return state.isOver
                }
                if isOver { continuation.resume(returning: nil) }
                source.resume()
            }
        } onCancel: {
            asked.finish(nil)
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.longestLine)
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return finish(nil) }
        let line = state.withLock { state -> [UInt8]? in
            state.line += buffer[..<count]
            guard let end = state.line.firstIndex(of: UInt8(ascii: "\n")) else {
                return state.line.count > Self.longestLine ? [] : nil
            }
            return Array(state.line[..<end])
        }
        if let line { finish(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased()) }
    }

    private func finish(_ answer: String?) {
        let continuation = state.withLock { state in
            state.isOver = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: answer)
    }
}
