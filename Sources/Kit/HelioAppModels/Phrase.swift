/// A text of the table with its arguments, or words that are shown as they are, such as a host's name.
public struct Phrase: Hashable, Sendable {
    /// The text's key; `nil` for words as they are.
    public let text: AppText?
    /// What goes to the text's places; for words as they are, the words.
    public let arguments: [String]

    /// A text of the table.
    public init(_ text: AppText, _ arguments: String...) {
        self.text = text
        self.arguments = arguments
    }

    private init(words: String) {
        text = nil
        arguments = [words]
    }

    /// Words as they are, in no table.
    public static func verbatim(_ words: String) -> Phrase { Phrase(words: words) }

    /// The words to show: the table's text with its places filled. An argument that looks like a place stays as it is; a
    /// place without an argument is left out.
    public func words(_ table: (AppText) -> String) -> String {
        guard let text else { return arguments.first ?? "" }
        var words = ""
        var rest = table(text)[...]
        while let place = rest.firstRange(of: "%") {
            words += rest[..<place.lowerBound]
            rest = rest[place.lowerBound...]
            let tail = rest.dropFirst()
            guard let digit = tail.first?.wholeNumberValue, tail.dropFirst().hasPrefix("$@") else {
                words += "%"
                rest = tail
                continue
            }
            if arguments.indices.contains(digit - 1) { words += arguments[digit - 1] }
            rest = tail.dropFirst(3)
        }
        return words + rest
    }
}
