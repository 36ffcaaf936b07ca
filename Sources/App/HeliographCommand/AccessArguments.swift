internal import ArgumentParser
private import Foundation
private import HelioTerminal

/// The options of `heliograph share` for who is let in, and for what is said of links.
struct AccessArguments: ParsableArguments {
    @Flag(help: "Let in paired devices alone: no link lets anybody in, and none is shown.")
    var pairedOnly = false

    /// The reason for which no link is printed, as lines for the user; `nil` if links are printed.
    var silence: [String]? {
        if pairedOnly {
            return [
                "Only paired devices are let in: --paired-only. 'heliograph devices' lists them, --pair-code-file adds one."
            ]
        }
        if Self.isJournal {
            return [
                "The link is not printed here, as the journal keeps what it is told: --link-file writes it to a file, "
                    + "--paired-only needs none."
            ]
        }
        return nil
    }

    /// True if standard output or standard error goes to systemd's journal.
    private static var isJournal: Bool {
        guard let stream = JournalStream(ProcessInfo.processInfo.environment["JOURNAL_STREAM"]) else { return false }
        return [STDOUT_FILENO, STDERR_FILENO].contains { stream.isOpen(at: $0) }
    }
}
