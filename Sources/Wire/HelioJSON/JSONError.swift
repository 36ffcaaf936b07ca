/// The reason why a JSON text can't be parsed, with its offset in the text.
public struct JSONError: Error, Hashable, Sendable {
    /// The reason; the raw value is a name for logs and counts.
    public enum Reason: String, Sendable, CaseIterable, Hashable {
        case tooLong = "too-long"
        case tooDeep = "too-deep"
        case tooManyValues = "too-many-values"
        /// The text ends inside a value, or is empty.
        case truncated
        /// A byte that is not allowed at its position.
        case unexpected
        case badNumber = "bad-number"
        /// A number beyond the range of `Double`.
        case numberTooLarge = "number-too-large"
        case badEscape = "bad-escape"
        /// Half of a surrogate pair.
        case loneSurrogate = "lone-surrogate"
        /// An unescaped control character.
        case controlCharacter = "control-character"
        case notUTF8 = "not-utf8"
        /// A duplicate name in an object: parsers disagree on which one counts, so the text is refused.
        case duplicateName = "duplicate-name"
        /// Bytes after the value.
        case trailing
    }

    /// The first error of the text.
    public var reason: Reason
    /// The position of the error in bytes from the start of the text. For `notUTF8` and `duplicateName` it is the start
    /// of the string, for `loneSurrogate` the start of the escape.
    public var offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    /// The reason and the position, without any of the text.
    public var description: String { "\(reason.rawValue) at \(offset)" }
}
