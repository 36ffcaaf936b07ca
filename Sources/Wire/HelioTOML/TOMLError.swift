/// The reason why a text is not read, with its line.
package struct TOMLError: Error, Hashable, Sendable {
    package enum Reason: Error, Hashable, Sendable {
        case tooLarge(limit: Int)
        case tooManyEntries(limit: Int)
        case tooManyItems(limit: Int)
        case notUTF8
        /// A control character other than tab and line end.
        case controlCharacter
        case expectedKey
        case expectedEquals(key: String)
        case missingValue(key: String)
        /// Text without quotes where a value should be.
        case unquoted
        case malformedNumber
        case numberTooLarge
        case unterminatedString
        case unknownEscape
        case unterminatedHeader
        case unterminatedArray
        case expectedComma
        /// Text after a value or a header.
        case trailingText
        case duplicateKey(String, line: Int)
        case duplicateTable(String, line: Int)
        case unsupported(Unsupported)
    }

    /// A part of TOML that is outside the subset.
    package enum Unsupported: String, Hashable, Sendable {
        case arrayOfTables = "arrays of tables, [[...]]"
        case dottedKey = "keys with a dot; put the key below its [table]"
        case nestedTable = "tables with a dot in their name"
        case multilineString = "text over several lines"
        case inlineTable = "tables in braces"
        case nestedArray = "lists within lists"
        case date = "dates and times without quotes"
        case otherBase = "numbers that are not decimal"
        case notFinite = "inf and nan"
    }

    /// The line, from 1.
    package let line: Int
    package let reason: Reason

    /// The reason as a sentence, without the line. No value of the text is in it, since that could be a secret.
    package var sentence: String {
        switch reason {
        case .tooLarge(let limit): "The file is larger than \(limit) bytes."
        case .tooManyEntries(let limit): "There are more than \(limit) keys and tables."
        case .tooManyItems(let limit): "A list has more than \(limit) values."
        case .notUTF8: "This line is not UTF-8: save the file in that encoding."
        case .controlCharacter: "There is a control character: remove it, or write it as \\u and four digits in quotes."
        case .expectedKey: "A line begins with a key, a [table] or a # comment. Keys of other characters need quotes."
        case .expectedEquals(let key): "After the key '\(key)' there should be = and its value."
        case .missingValue(let key): "'\(key)' has no value."
        case .unquoted: "Text needs quotes around it: \"...\"."
        case .malformedNumber: "That is no number: give digits such as 60 or 0.5, or text in quotes."
        case .numberTooLarge: "That number is too large."
        case .unterminatedString: "The text does not end: there is a quote missing in this line."
        case .unknownEscape: "After \\ in \"...\" there may be b, t, n, f, r, \", \\, u or U: write \\\\, or use '...'."
        case .unterminatedHeader: "A table's name stands in brackets: [name]."
        case .unterminatedArray: "The list does not end: there is a ] missing."
        case .expectedComma: "The values of a list have commas between them."
        case .trailingText: "After that, only a # comment may be in the line."
        case .duplicateKey(let key, let line): "'\(key)' is already in line \(line): remove one of them."
        case .duplicateTable(let name, let line): "[\(name)] is already in line \(line): put its keys there."
        case .unsupported(let part): "That part of TOML is not read here: \(part.rawValue)."
        }
    }
}
