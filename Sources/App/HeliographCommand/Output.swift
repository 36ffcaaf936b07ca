private import ArgumentParser
private import Foundation
internal import HelioTerminal
private import Synchronization

/// The outputs of this program. Lines for the user are written to standard output, or to standard error if programs
/// read standard output.
enum Output {
    /// True if standard output is reserved for data that programs read.
    private static let isForPrograms = Atomic(false)
    /// The longest wait for the last lines to be written, in a program that runs until a signal.
    private static let patience = Duration.milliseconds(300)

    /// The output for human-readable lines: standard output, or standard error after `keepForPrograms`.
    static var people: OutputWriter { isForPrograms.load(ordering: .relaxed) ? .error : .standard }

    /// Reserves standard output for data, unless it is a terminal; lines for the user are then written to standard
    /// error.
    static func keepForPrograms() {
        if OutputWriter.standard.abilities.isTerminal { return }
        isForPrograms.store(true, ordering: .relaxed)
        OutputWriter.standard.sendNotices { OutputWriter.error.write(TerminalText("Standard output: \($0)")) }
    }

    /// Writes a line of data for programs to standard output.
    static func data(_ line: String) { OutputWriter.standard.write(TerminalText(line, .data)) }

    /// Writes a line on standard error.
    static func warn(_ line: String) { OutputWriter.error.write(TerminalText(line)) }

    /// Shows progress in a terminal's last row; `nil` removes it.
    static func showProgress(_ text: String?) { people.show(text.map { TerminalText($0) }) }

    /// Prints the error, if there is one, and ends the program.
    ///
    /// - Parameter isParsed: false if the arguments are invalid, so that the usage is printed, too.
    static func end(with error: (any Error)?, isParsed: Bool) -> Never {
        people.show(nil)
        var status = EXIT_SUCCESS
        if let error {
            status = Heliograph.exitCode(for: error).rawValue
            var text = Heliograph.fullMessage(for: error)
            // The arguments were valid for the parser, so don't print the root command's usage.
            if isParsed, let wrong = error as? ValidationError { text = "Error: \(wrong.message)" }
            if !text.isEmpty { (status == EXIT_SUCCESS ? OutputWriter.standard : .error).write(TerminalText(text)) }
        }
        drain()
        exit(status)
    }

    /// Waits until the lines are written. A command that runs until a signal only waits briefly, in case the reader is
    /// stopped. For any other command the lines are its result, so it waits as long as its reader needs.
    private static func drain() {
        for output in [OutputWriter.standard, .error] {
            output.drain(within: StopSignals.isUsed ? patience : .seconds(24 * 3600))
        }
    }
}

/// Prints a line for the user without buffering, even into a pipe.
func say(_ line: String) { Output.people.write(TerminalText(line)) }

/// Prints a line with styled parts.
func say(_ line: TerminalText) { Output.people.write(line) }
