package import Foundation
import Testing

/// A program in the background whose output is read line by line, as events. What nobody reads waits, and never stops
/// the program. It ends with this object, and with it all that it has started.
package final class RunningProgram {
    package struct Ended: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// In which a program says what is waited for, or ends, or the test fails.
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

    /// A program of this package, as it was built beside the tests.
    package static func built(_ name: String) -> String {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests ?? "").deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Everything that it has said.
    package var text: String { output.text }

    /// The next line; throws where the program has ended.
    package func line() throws -> String {
        try next(Patience(Self.patience), waitingFor: "more")
    }

    /// Reads on to the first line that holds `part`.
    @discardableResult
    package func line(with part: String, within limit: Duration = patience) throws -> String {
        try line("'\(part)'", within: limit) { $0.contains(part) }
    }

    /// Reads on to the first line that fits.
    ///
    /// - Parameter what: for the error: what it is that fits.
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

    /// Skips all lines so far: the next one read is one that the program says from now on.
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

    /// Waits for its end; gives the exit code. One that does not end is an issue, and is ended.
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

    /// The same without a thread that waits, for a test that lets several programs run at a time.
    package func exitCode(
        within limit: Duration = patience, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int32 {
        try await eventually("\(name) has ended", within: limit, sees: text.lastLines) { !process.isRunning }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Waits for its end. Where that does not come in time, it is ended with all that it has started, and this is
    /// false.
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
    /// The end of what a program has said, for a report: without what lets somebody in.
    package var lastLines: String {
        split(separator: "\n").suffix(12)
            .map { $0.prefix(300).replacing(/#[A-Za-z0-9_-]{8,}/, with: "#...") }
            .joined(separator: "\n")
    }
}
