private import ArgumentParser
private import Foundation
internal import HelioTerminal
private import Synchronization

/// The outputs of this program. What people read goes to standard output, but to standard error where the lines of standard
/// output are for programs.
enum Output {
    /// True where standard output is for programs.
    private static let isForPrograms = Atomic(false)
    /// The time that the last lines have where a program was told to end, and for the lines of an error.
    private static let patience = Duration.milliseconds(300)

    /// Where people read.
    static var people: OutputWriter { isForPrograms.load(ordering: .relaxed) ? .error : .standard }

    /// Keeps standard output for lines of data, where it is no terminal: what people read goes to standard error from now
    /// on.
    static func keepForPrograms() {
        if OutputWriter.standard.abilities.isTerminal { return }
        isForPrograms.store(true, ordering: .relaxed)
        OutputWriter.standard.sendNotices { OutputWriter.error.write(TerminalText("Standard output: \($0)")) }
    }

    /// Writes a line for programs on standard output.
    static func data(_ line: String) { OutputWriter.standard.write(TerminalText(line, .data)) }

    /// Writes a line on standard error.
    static func warn(_ line: String) { OutputWriter.error.write(TerminalText(line)) }

    /// Shows how something goes, in a terminal's last row; `nil`: nothing does any more.
    static func showProgress(_ text: String?) { people.show(text.map { TerminalText($0) }) }

    /// Ends the program, with a word about an error.
    ///
    /// - Parameter isParsed: false where the arguments are what is wrong, so that their usage helps.
    static func end(with error: (any Error)?, isParsed: Bool) -> Never {
        people.show(nil)
        var status = EXIT_SUCCESS
        if let error {
            status = Heliograph.exitCode(for: error).rawValue
            var text = Heliograph.fullMessage(for: error)
            // The root's usage says nothing about a file or a device.
            if isParsed, let wrong = error as? ValidationError { text = "Error: \(wrong.message)" }
            if !text.isEmpty { (status == EXIT_SUCCESS ? OutputWriter.standard : .error).write(TerminalText(text)) }
        }
        drain()
        exit(status)
    }

    /// Waits for the lines so far. A program that goes on until it is told to end ends then, whoever does not read; any
    /// other has nothing but its lines, and waits as long as its reader wants.
    private static func drain() {
        for output in [OutputWriter.standard, .error] {
            output.drain(within: StopSignals.isUsed ? patience : .seconds(24 * 3600))
        }
    }
}

/// Writes a line for the person, at once, even into a pipe.
func say(_ line: String) { Output.people.write(TerminalText(line)) }

/// Writes a line with parts that stand out.
func say(_ line: TerminalText) { Output.people.write(line) }
