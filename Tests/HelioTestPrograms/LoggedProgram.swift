import Foundation
import Synchronization

/// A program in the background that says by its output how far it is; what it says later is kept, and never stops it.
package final class LoggedProgram {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let patience = 20.0

    private let process = Process()
    private let log: Log
    private let name: String

    /// What was said.
    private final class Log: Sendable {
        struct State {
            var text = ""
            var isOver = false
        }

        let state = Mutex(State())
        let bell = DispatchSemaphore(value: 0)

        func add(_ data: Data) {
            state.withLock { state in
                if data.isEmpty { state.isOver = true }
                state.text += String(decoding: data, as: UTF8.self)
            }
            bell.signal()
        }
    }

    /// - Parameters:
    ///   - command: the program, by its whole path or as it is found, and its arguments.
    ///   - folder: where it runs.
    package init(_ command: [String], environment: [String: String], folder: String) throws {
        let log = Log()
        self.log = log
        name = command.prefix(3).joined(separator: " ")
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: command[0].hasPrefix("/") ? command[0] : "/usr/bin/env")
        process.arguments = command[0].hasPrefix("/") ? Array(command.dropFirst()) : command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            // It says nothing.
            log.add(Data())
            throw error
        }
        try output.fileHandleForWriting.close()
        Self.listen(to: fcntl(output.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0), log)
    }

    /// Reads to the output's end on a thread of its own: a `readabilityHandler` on Linux now and then is not told of an
    /// end that comes while it reads.
    private static func listen(to descriptor: Int32, _ log: Log) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                log.add(Data(buffer.prefix(max(0, count))))
                if count <= 0 { break }
            }
            close(descriptor)
        }
    }

    deinit { kill() }

    package var processIdentifier: Int32 { process.processIdentifier }

    package var text: String { log.state.withLock { $0.text } }

    /// Returns when it has said `word` so many times; throws where it ends before that, or takes too long.
    package func wait(for word: String, times: Int = 1) throws {
        try wait(word) { $0.ranges(of: word).count >= times }
    }

    /// The same for a regular expression.
    package func wait(matching pattern: String) throws {
        try wait(pattern) { $0.range(of: pattern, options: .regularExpression) != nil }
    }

    private func wait(_ what: String, until isSaid: (String) -> Bool) throws {
        let deadline = DispatchTime.now() + Self.patience
        while true {
            let (text, isOver) = log.state.withLock { ($0.text, $0.isOver) }
            if isSaid(text) { return }
            if isOver { throw Failure(description: "\(name) ended; it said: \(text)") }
            if log.bell.wait(timeout: deadline) == .timedOut {
                throw Failure(description: "\(name) does not say '\(what)'; it said: \(text)")
            }
        }
    }

    /// Returns all that it has said when it has ended by itself, or takes too long.
    package func finish() -> String {
        let deadline = DispatchTime.now() + Self.patience
        while !log.state.withLock({ $0.isOver }), log.bell.wait(timeout: deadline) == .success {}
        return text
    }

    package func send(_ signal: Int32) {
        if process.isRunning { Foundation.kill(process.processIdentifier, signal) }
    }

    /// Returns when it has ended, by its output's end: `waitUntilExit` needs the thread that has started it, and a test
    /// may go on on another.
    package func kill() {
        send(SIGKILL)
        _ = finish()
    }
}
