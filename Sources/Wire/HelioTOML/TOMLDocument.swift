/// A text in a subset of TOML 1.0 (https://toml.io/en/v1.0.0), which keeps its comments and spaces when it is changed.
///
///     # comment
///     key = "text"                 above the first table
///
///     [table]
///     key = 'text'                 literal string
///     key-2 = 60                   integer; 0.5 float; true, false
///     "key 3" = ["a", "b"]         array, also over several lines
///
/// Other parts of TOML are refused with an error that names them (`TOMLError.Unsupported`).
package struct TOMLDocument: Sendable {
    package let bytes: [UInt8]
    package let entries: [TOMLEntry]
    let tables: [TOMLTable]
    private let limits: TOMLLimits

    /// The names of the tables, with their lines.
    package var tableNames: [(name: String, line: Int)] { tables.map { ($0.name, $0.line) } }

    package init(parsing bytes: [UInt8], limits: TOMLLimits = TOMLLimits()) throws(TOMLError) {
        var parser = TOMLParser(bytes, limits)
        try parser.parse()
        self.bytes = bytes
        self.limits = limits
        entries = parser.entries
        tables = parser.tables
    }

    /// Returns an entry; `nil` if there is none.
    package func entry(_ table: String, _ key: String) -> TOMLEntry? {
        entries.first { $0.table == table && $0.key == key }
    }

    /// Returns the document with another value for a key, or with a new key. A new one is put after the line that has it
    /// as a comment, `#key = ...`, else after the table's last entry; a new table at the end.
    ///
    /// Throws if the document would exceed the limits.
    package func setting(_ table: String, _ key: String, to value: TOMLValue) throws(TOMLError) -> TOMLDocument {
        var changed = bytes
        if let entry = entry(table, key) {
            changed.replaceSubrange(entry.valueRange, with: Array(value.text.utf8))
            return try TOMLDocument(parsing: changed, limits: limits)
        }
        let line = Array("\(Self.name(key)) = \(value.text)\n".utf8)
        if let region = region(of: table) {
            let place = comment(of: key, in: region) ?? lastEntry(of: table)?.lines.upperBound ?? region.lowerBound
            changed.insert(contentsOf: isLineStart(place) ? line : [newline] + line, at: place)
        } else {
            let gap: [UInt8] = isLineStart(bytes.count) ? [] : [newline]
            changed += gap + (bytes.isEmpty ? [] : [newline]) + Array("[\(Self.name(table))]\n".utf8) + line
        }
        return try TOMLDocument(parsing: changed, limits: limits)
    }

    /// Returns the document without a key; the same document if it has no such key.
    package func removing(_ table: String, _ key: String) throws(TOMLError) -> TOMLDocument {
        guard let entry = entry(table, key) else { return self }
        var changed = bytes
        changed.removeSubrange(entry.lines)
        return try TOMLDocument(parsing: changed, limits: limits)
    }

    private var newline: UInt8 { UInt8(ascii: "\n") }

    /// The offset of the first line, after a byte order mark.
    private var start: Int { bytes.starts(with: TOMLParser.mark) ? TOMLParser.mark.count : 0 }

    private func isLineStart(_ offset: Int) -> Bool { offset <= start || bytes[offset - 1] == newline }

    private func lastEntry(of table: String) -> TOMLEntry? { entries.last { $0.table == table } }

    /// The bytes between a table's header and the next one; for the unnamed table, those above the first header.
    private func region(of table: String) -> Range<Int>? {
        if table.isEmpty { return start..<(tables.first?.header ?? bytes.count) }
        return tables.first { $0.name == table }.map { $0.start..<$0.end }
    }

    /// The offset after the line that has a key as a comment.
    private func comment(of key: String, in region: Range<Int>) -> Int? {
        var start = region.lowerBound
        while start < region.upperBound {
            let end = bytes[start..<region.upperBound].firstIndex(of: newline).map { $0 + 1 } ?? region.upperBound
            if isComment(bytes[start..<end], of: key), !entries.contains(where: { $0.lines.contains(start) }) {
                return end
            }
            start = end
        }
        return nil
    }

    private func isComment(_ line: ArraySlice<UInt8>, of key: String) -> Bool {
        let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        guard line.first == UInt8(ascii: "#") else { return false }
        let text = line.dropFirst().drop { blanks.contains($0) }
        guard text.starts(with: Self.name(key).utf8) else { return false }
        return text.dropFirst(Self.name(key).utf8.count).first { !blanks.contains($0) } == UInt8(ascii: "=")
    }

    /// A key or a table's name as it is written: in quotes if it needs them.
    private static func name(_ key: String) -> String {
        !key.isEmpty && key.utf8.allSatisfy(TOMLParser.isBare) ? key : TOMLValue.string(key).text
    }
}
