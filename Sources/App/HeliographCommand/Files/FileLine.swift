private import HelioCore
internal import Heliograph

/// The lines about transfers, on the person's terminal.
enum FileLine {
    /// Shows progress below all other lines; where the output is no terminal, not at all.
    static func show(_ line: FileCommands.Line) {
        switch line {
        case .progress(let text): Output.showProgress(text)
        case .note(let text): say(text)
        }
    }

    /// Lets 'heliograph send' and 'heliograph get' reach the session; where that can't be, a note says so.
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
