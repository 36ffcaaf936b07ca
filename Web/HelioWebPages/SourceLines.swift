/// Splits a program or style sheet into lines, without empty lines and without comments on lines of their own. Comments after
/// code are kept.
enum SourceLines {
    /// - Parameter hasLineComments: true if `//` begins a comment, as in JavaScript but not in CSS.
    /// - Returns: the lines; `nil` if a comment is not closed, or if code follows a multi-line comment on its last line.
    static func code(of text: [UInt8], hasLineComments: Bool) -> [Substring]? {
        var lines: [Substring] = []
        var isInComment = false
        for line in split(text) {
            var rest = unindented(line)
            if !isInComment {
                if rest.isEmpty || (hasLineComments && rest.hasPrefix("//")) { continue }
                guard rest.hasPrefix("/*") else {
                    lines.append(line)
                    continue
                }
                rest = rest.dropFirst(2)
            }
            guard let end = rest.firstRange(of: "*/") else {
                isInComment = true
                continue
            }
            if end.upperBound == rest.endIndex {
                isInComment = false
            } else if isInComment {
                return nil
            } else {
                lines.append(line)
            }
        }
        return isInComment ? nil : lines
    }

    /// Returns the non-empty lines, without line feeds.
    static func split(_ text: [UInt8]) -> [Substring] {
        String(decoding: text, as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
    }

    static func unindented(_ line: Substring) -> Substring { line.drop { $0 == " " } }
}
