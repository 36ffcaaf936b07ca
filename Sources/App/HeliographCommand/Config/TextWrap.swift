/// Breaks a paragraph into lines.
enum TextWrap {
    /// Returns the lines of a text, none longer than `columns` but those of one word.
    static func lines(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
