package import Foundation

/// A program in the background whose output is read line by line, as events.
package final class RunningProgram {
    package struct Ended: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Milliseconds in which a program says something, or the test fails.
    private static let patience: Int32 = 40_000

    private let process = Process()
    private let name: String
    private let output = Pipe()
    private var waiting = ""
    /// Everything that was read.
    package private(set) var text = ""

    package init(
        _ program: String, _ arguments: [String], environment: [String: String],
        standardInput: FileHandle = .nullDevice
    ) throws {
        name = ([program] + arguments.prefix(2)).joined(separator: " ")
        process.executableURL = URL(fileURLWithPath: program.hasPrefix("/") ? program : "/usr/bin/env")
        process.arguments = program.hasPrefix("/") ? arguments : [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.fileHandleForWriting.close()
    }

    deinit { kill() }

    /// A program of this package, as it was built beside the tests.
    package static func built(_ name: String) -> String {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests ?? "").deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// The next line; throws where the program has ended.
    package func line() throws -> String {
        while true {
            if let end = waiting.firstIndex(of: "\n") {
                let line = String(waiting[..<end])
                waiting = String(waiting[waiting.index(after: end)...])
                return line
            }
            var descriptor = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, Self.patience) == 0 {
                throw Ended(description: "\(name) says nothing more; it said: \(text)")
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw Ended(description: "\(name) ended; it said: \(text)") }
            let piece = String(decoding: data, as: UTF8.self)
            waiting += piece
            text += piece
        }
    }

    /// Reads on to the first line that holds `part`.
    @discardableResult
    package func line(with part: String) throws -> String {
        while true {
            let line = try line()
            if line.contains(part) { return line }
        }
    }

    /// Reads to the end; gives the exit code.
    package func waitUntilExit() -> Int32 {
        while (try? line()) != nil {}
        process.waitUntilExit()
        return process.terminationStatus
    }

    package func kill(_ signal: Int32 = SIGKILL) {
        if process.isRunning { Foundation.kill(process.processIdentifier, signal) }
    }

    package var processIdentifier: Int32 { process.processIdentifier }
}
