private import HelioCore
internal import HelioViewing

/// Prints the progress of file transfers on the terminal.
enum FileLine {
    /// Prints a note, or shows progress in the status row, which only a terminal has.
    static func show(_ line: FileCommands.Line) {
        switch line {
        case .progress(let text): Output.showProgress(text)
        case .note(let text): say(text)
        }
    }

    /// Starts the service for 'heliograph send' and 'heliograph get'. If it can't be started, passes the reason to
    /// `note`, and returns `nil`.
    static func serve(_ files: SharedFiles?, note: @escaping @Sendable (String) -> Void) async -> FileService? {
        guard let files else { return nil }
        do throws(HelioError) {
            return try await FileService(for: files)
        } catch {
            note(error.sentence)
            return nil
        }
    }
}
