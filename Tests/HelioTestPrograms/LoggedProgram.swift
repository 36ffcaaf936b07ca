import Foundation

/// A background program whose progress is read from its output; further output is stored, and never blocks it.
package final class LoggedProgram {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let patience = Duration.seconds(20)

    private let process = Process()
    private let output: ProgramOutput
    private let name: String

    /// - Parameters:
    ///   - command: the program, by its path or name, and its arguments.
    ///   - folder: its working directory.
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

    /// Waits until the output contains `word` this many times; throws if the program exits before, or after a time-out.
    package func wait(for word: String, times: Int = 1) throws {
        try wait(word) { $0.ranges(of: word).count >= times }
    }

    /// Waits for a regular expression in the output.
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

    /// Waits for the program's exit, or a time-out; returns its whole output.
    package func finish() -> String {
        _ = output.isOver(Patience(Self.patience))
        return text
    }

    package func send(_ signal: Int32) {
        if process.isRunning { Foundation.kill(process.processIdentifier, signal) }
    }

    /// Kills the program and waits for the end of its output: `waitUntilExit` works only on the thread that started the
    /// program, and a test may continue on another one.
    package func kill() {
        send(SIGKILL)
        _ = finish()
    }
}
