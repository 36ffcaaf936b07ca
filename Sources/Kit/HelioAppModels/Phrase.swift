/// A localised text with its arguments, or verbatim words such as a host's name.
public struct Phrase: Hashable, Sendable {
    /// The text's key; `nil` for verbatim words.
    public let text: AppText?
    /// The arguments for the text's placeholders, or the verbatim words themselves.
    public let arguments: [String]

    /// Makes a localised text; the arguments fill its placeholders in order.
    public init(_ text: AppText, _ arguments: String...) {
        self.text = text
        self.arguments = arguments
    }

    private init(words: String) {
        text = nil
        arguments = [words]
    }

    /// Makes verbatim words, which are not localised.
    public static func verbatim(_ words: String) -> Phrase { Phrase(words: words) }

    /// Returns the words to show: the localised text with its placeholders filled. Placeholders within an argument are
    /// not filled; a placeholder without an argument is removed.
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
