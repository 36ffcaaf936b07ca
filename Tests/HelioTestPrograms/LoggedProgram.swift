import Foundation

/// A program in the background that says by its output how far it is; what it says later is kept, and never stops it.
package final class LoggedProgram {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let patience = Duration.seconds(20)

    private let process = Process()
    private let output: ProgramOutput
    private let name: String

    /// - Parameters:
    ///   - command: the program, by its whole path or as it is found, and its arguments.
    ///   - folder: where it runs.
    package init(_ command: [String], environment: [String: String], folder: String) throws {
        name = command.prefix(3).joined(separator: " ")
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: command[0].hasPrefix("/") ? command[0] : "/usr/bin/env")
        process.arguments = command[0].hasPrefix("/") ? Array(command.dropFirst()) : command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        output = try ProgramOutput(pipe)
    }

    deinit { kill() }

    package var processIdentifier: Int32 { process.processIdentifier }

    package var text: String { output.text }

    /// Returns when it has said `word` so many times; throws where it ends before that, or takes too long.
    package func wait(for word: String, times: Int = 1) throws {
        try wait(word) { $0.ranges(of: word).count >= times }
    }

    /// The same for a regular expression.
    package func wait(matching pattern: String) throws {
        try wait(pattern) { $0.range(of: pattern, options: .regularExpression) != nil }
    }

    private func wait(_ what: String, until isSaid: (String) -> Bool) throws {
        switch output.text(Patience(Self.patience), where: isSaid) {
        case .found: break
        case .over: throw Failure(description: "\(name) ended; it said: \(text)")
        case .silent: throw Failure(description: "\(name) does not say '\(what)'; it said: \(text)")
        }
    }

    /// Returns all that it has said when it has ended by itself, or takes too long.
    package func finish() -> String {
        _ = output.isOver(Patience(Self.patience))
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
