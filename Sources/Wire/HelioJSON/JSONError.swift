/// An error of parsing a JSON text, with its place.
package struct JSONError: Error, Hashable, Sendable {
    package enum Reason: String, Sendable, CaseIterable, Hashable {
        case tooLong = "too-long"
        case tooDeep = "too-deep"
        case tooManyValues = "too-many-values"
        /// The text ends inside a value, or there is none.
        case truncated
        /// A byte that cannot stand where it does.
        case unexpected
        case badNumber = "bad-number"
        /// Larger than a `Double` can be.
        case numberTooLarge = "number-too-large"
        case badEscape = "bad-escape"
        /// Half of a surrogate pair.
        case loneSurrogate = "lone-surrogate"
        /// A control character that is not escaped.
        case controlCharacter = "control-character"
        case notUTF8 = "not-utf8"
        /// A name twice in one object: readers do not agree on which counts, so none is taken.
        case duplicateName = "duplicate-name"
        /// Bytes behind the value.
        case trailing
    }

    package var reason: Reason
    /// The place, in bytes from the start of the text. For `notUTF8`, `loneSurrogate` and `duplicateName`, that of the
    /// string's start.
    package var offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String { "\(reason.rawValue) at \(offset)" }
}
