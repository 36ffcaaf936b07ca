private import Foundation
private import Synchronization

/// The last line of the person's terminal: it stays below all others, and changes in place. Where the output is no
/// terminal there is none.
enum StatusLine {
    private static let shown = Mutex<String?>(nil)
    /// Goes back to the line's begin and empties it.
    private static let clear = "\r\u{1B}[K"

    /// True where there is one.
    static var isPossible: Bool { isatty(STDOUT_FILENO) != 0 }

    /// Shows a text without an end of line; `nil`: none any more.
    static func show(_ text: String?) {
        guard isPossible else { return }
        shown.withLock { shown in
            guard shown != text else { return }
            shown = text
            write(clear + (text ?? ""))
        }
    }

    /// Prints a line at once, above what is shown.
    static func print(_ line: String) {
        shown.withLock { shown in
            if let shown { write(clear + line + "\n" + shown) } else { write(line + "\n") }
        }
    }

    private static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
