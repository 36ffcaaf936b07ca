private import HelioCore
internal import Heliograph

/// The output of file transfers on the terminal.
enum FileLine {
    /// Shows progress below all other lines; does nothing if the output is not a terminal.
    static func show(_ line: FileCommands.Line) {
        switch line {
        case .progress(let text): Output.showProgress(text)
        case .note(let text): say(text)
        }
    }

    /// Starts the service for 'heliograph send' and 'heliograph get'; if that fails, a note says so.
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
