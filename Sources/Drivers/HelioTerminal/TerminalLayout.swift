/// Lays out text for a terminal of a known width. The last column stays empty, as some terminals wrap there.
package enum TerminalLayout {
    /// Returns the lines that show a command after its label, without breaking any of its parts: on the label's line,
    /// on a line of its own, or on several lines with the shell's continuation character.
    ///
    /// - Parameters:
    ///   - parts: the command, split at the places where it may be broken. A part that is longer than a line is wrapped
    ///     by the terminal.
    ///   - columns: the terminal's width; `nil` for an output that does not wrap lines.
    package static func command(_ label: String, _ parts: [String], columns: Int?) -> [String] {
        let whole = parts.joined(separator: " ")
        guard let columns, label.count + 1 + whole.count >= columns else { return ["\(label) \(whole)"] }
        let heading = String(label.reversed().drop { $0 == " " }.reversed())
        if 2 + whole.count < columns { return [heading, "  \(whole)"] }
        return [heading] + parts.dropLast().map { "  \($0) \\" } + parts.suffix(1).map { "  \($0)" }
    }

    /// Returns a row of items in their order. If not all items fit, those with the lowest rank are kept.
    package static func row(_ items: [(text: String, rank: Int)], columns: Int) -> String {
        let gap = 2
        var left = columns - 1 + gap
        var kept: [Int] = []
        for index in items.indices.sorted(by: { (items[$0].rank, $0) < (items[$1].rank, $1) }) {
            let width = items[index].text.count + gap
            guard width <= left else { continue }
            left -= width
            kept.append(index)
        }
        return kept.sorted().map { items[$0].text }.joined(separator: String(repeating: " ", count: gap))
    }

    /// Returns the window size that is needed to show a whole text picture, with one more row below it for the status;
    /// `nil` if the window is large enough.
    ///
    /// - Parameters:
    ///   - picture: the text picture's size in columns and rows.
    ///   - window: the window's size in columns and rows.
    package static func windowNeeded(
        forPicture picture: (columns: Int, rows: Int), in window: (columns: Int, rows: Int)
    ) -> (columns: Int, rows: Int)? {
        let needed = (columns: picture.columns, rows: picture.rows + 1)
        return needed.columns <= window.columns && needed.rows <= window.rows ? nil : needed
    }
}
