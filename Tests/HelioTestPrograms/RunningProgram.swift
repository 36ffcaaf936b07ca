package import Foundation
import Testing

/// A background program whose output is read line by line, as events. Unread output is buffered, and never blocks the
/// program. The program and its descendants end with this object.
package final class RunningProgram {
    package struct Ended: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// The time within which a program must write the awaited line or exit; otherwise the test fails.
    package static let patience = Duration.seconds(60)

    private let process = Process()
    private let name: String
    private let output: ProgramOutput

    package init(
        _ program: String, _ arguments: [String], environment: [String: String],
        standardInput: FileHandle = .nullDevice
    ) throws {
        name = ([program] + arguments.prefix(2)).joined(separator: " ").lastLines
        process.executableURL = URL(fileURLWithPath: program.hasPrefix("/") ? program : "/usr/bin/env")
        process.arguments = program.hasPrefix("/") ? arguments : [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = standardInput
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        output = try ProgramOutput(pipe)
    }

    deinit { ProcessTree.kill(process.processIdentifier) }

    /// The path of a program of this package, built beside the tests.
    package static func built(_ name: String) -> String {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests ?? "").deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// The whole output so far.
    package var text: String { output.text }

    /// Returns the next line; throws if the program has exited.
    package func line() throws -> String {
        try next(Patience(Self.patience), waitingFor: "more")
    }

    /// Reads up to the first line that contains `part`.
    @discardableResult
    package func line(with part: String, within limit: Duration = patience) throws -> String {
        try line("'\(part)'", within: limit) { $0.contains(part) }
    }

    /// Reads up to the first matching line.
    ///
    /// - Parameter what: a description of the line for the error.
    @discardableResult
    package func line(
        _ what: String, within limit: Duration = patience, where fits: (String) throws -> Bool
    ) throws -> String {
        let patience = Patience(limit)
        while true {
            let line = try next(patience, waitingFor: what)
            if try fits(line) { return line }
        }
    }

    /// Skips all lines so far: the next one read is written after this call.
    package func skipLines() { output.skipLines() }

    private func next(_ patience: Patience, waitingFor what: String) throws -> String {
        switch output.line(patience) {
        case .found(let line): return line
        case .over: throw Ended(description: "\(name) has ended; waited for: \(what). It said:\n\(text.lastLines)")
        case .silent: throw silent(what)
        }
    }

    private func silent(_ what: String) -> Patience.Exhausted {
        Patience.Exhausted(description: "\(name) goes on; waited for: \(what). It said:\n\(text.lastLines)")
    }

    /// Waits for the exit; returns the exit code. A program that doesn't exit is recorded as an issue, and killed.
    package func waitUntilExit(
        within limit: Duration = patience, file: String = #fileID, path: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> Int32 {
        if !ends(within: limit) {
            let place = SourceLocation(fileID: file, filePath: path, line: line, column: column)
            Issue.record("\(silent("its end"))", sourceLocation: place)
        }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Waits for the exit without blocking a thread, for tests that run several programs at a time.
    package func exitCode(
        within limit: Duration = patience, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int32 {
        try await eventually("\(name) has ended", within: limit, sees: text.lastLines) { !process.isRunning }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Waits for the exit. After the time-out, kills the program with its descendants, and returns false.
    func ends(within limit: Duration) -> Bool {
        let patience = Patience(limit)
        _ = output.isOver(patience)
        let hasEnded = patience.wait { !process.isRunning }
        if !hasEnded { ProcessTree.kill(process.processIdentifier) }
        return hasEnded
    }

    package func kill(_ signal: Int32 = SIGKILL) {
        if process.isRunning { Foundation.kill(process.processIdentifier, signal) }
    }

    package var processIdentifier: Int32 { process.processIdentifier }
}

extension String {
    /// The last lines of a program's output for a report, without secrets of links.
    package var lastLines: String {
        split(separator: "\n").suffix(12)
            .map { $0.prefix(300).replacing(/#[A-Za-z0-9_-]{8,}/, with: "#...") }
            .joined(separator: "\n")
    }
}
