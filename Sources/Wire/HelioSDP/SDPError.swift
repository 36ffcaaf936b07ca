/// Why bytes are no session description. Lines count from 1; none of the text is repeated, since it may
/// hold keys.
package enum SDPError: Error, Hashable, Sendable {
    /// More than ``SessionDescription/maximumSize`` bytes.
    case tooLarge
    /// More than ``SessionDescription/maximumLines`` lines.
    case tooManyLines
    /// More than ``SessionDescription/maximumMedia`` sections.
    case tooManyMedia
    /// More than ``SessionDescription/maximumAttributes`` attributes in one section.
    case tooManyAttributes
    /// More than ``SessionDescription/maximumLineLength`` bytes in a line.
    case lineTooLong(line: Int)
    /// The line breaks its own grammar, is not UTF-8, or holds a stray CR or NUL.
    case malformed(line: Int)
    /// A known line in the wrong place, or a second of which there may be one (RFC 8866 section 5).
    case misplaced(line: Int)
    /// A line that every description must have: `v`, `o`, `s` or `t`.
    case missing(String)
}
