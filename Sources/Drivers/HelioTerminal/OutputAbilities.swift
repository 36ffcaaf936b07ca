/// The capabilities of an output, determined once from the environment.
package struct OutputAbilities: Sendable, Equatable {
    /// True if the output is a terminal.
    package var isTerminal: Bool
    /// True if the cursor can be moved back within its row.
    package var movesCursor: Bool
    /// True if bold, dim and coloured text can be shown.
    package var hasStyles: Bool
    /// True if characters beyond ASCII can be shown. A file or a pipe always gets UTF-8, as its readers may have
    /// another locale.
    package var isUnicode: Bool

    /// - Parameters:
    ///   - environment: TERM, NO_COLOR (https://no-color.org), and LC_ALL, LC_CTYPE and LANG, of which the first that
    ///     is set is used (POSIX, section 8.2).
    ///   - isTerminal: true if the output is a terminal.
    package init(environment: [String: String], isTerminal: Bool) {
        self.isTerminal = isTerminal
        let isDumb = ["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
        movesCursor = isTerminal && !isDumb
        hasStyles = movesCursor && environment["NO_COLOR", default: ""].isEmpty
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        isUnicode = !isTerminal || name.contains("utf-8") || name.contains("utf8")
    }
}
