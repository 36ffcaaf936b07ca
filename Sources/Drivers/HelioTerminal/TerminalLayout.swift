/// The layout of text for a terminal of a known width. The last column stays empty, as some terminals wrap there.
package enum TerminalLayout {
    /// The lines that show a command after its label, so that each of its parts can be read and copied whole: on the
    /// label's line, on a line of its own, or with the shell's sign of continuation between parts.
    ///
    /// - Parameters:
    ///   - parts: the command, where it may be broken. A part longer than the line is left to the terminal to break.
    ///   - columns: the terminal's width; `nil` for an output that breaks no lines.
    package static func command(_ label: String, _ parts: [String], columns: Int?) -> [String] {
        let whole = parts.joined(separator: " ")
        guard let columns, label.count + 1 + whole.count >= columns else { return ["\(label) \(whole)"] }
        let heading = String(label.reversed().drop { $0 == " " }.reversed())
        if 2 + whole.count < columns { return [heading, "  \(whole)"] }
        return [heading] + parts.dropLast().map { "  \($0) \\" } + parts.suffix(1).map { "  \($0)" }
    }

    /// The items on one row, in their order. Where not all fit, those of the lowest rank numbers are kept.
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

    /// The size of the window that shows a picture of text whole, with one more row below it for the status; `nil` if
    /// the window is large enough.
    ///
    /// - Parameters:
    ///   - picture: rows of equal width in columns.
    ///   - window: the window's size in columns and rows.
    package static func windowNeeded(
        forPicture picture: (columns: Int, rows: Int), in window: (columns: Int, rows: Int)
    ) -> (columns: Int, rows: Int)? {
        let needed = (columns: picture.columns, rows: picture.rows + 1)
        return needed.columns <= window.columns && needed.rows <= window.rows ? nil : needed
    }
}
