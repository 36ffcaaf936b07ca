/// A program or a style by lines, without those that are there for its readers alone: empty ones, and comments that stand
/// on lines of their own. What stands behind code stays.
enum SourceLines {
    /// - Parameter hasLineComments: true where `//` begins a comment, as in JavaScript and not in CSS.
    /// - Returns: `nil` where a comment has no end, or code on the line of its end.
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

    /// The lines that are not empty, without their ends.
    static func split(_ text: [UInt8]) -> [Substring] {
        String(decoding: text, as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
    }

    static func unindented(_ line: Substring) -> Substring { line.drop { $0 == " " } }
}
