/// An error of parsing bytes as a message of the transfer channel. Each is a counted drop at the receiver.
package enum TransferWireError: String, Error, Hashable, Sendable, CaseIterable {
    case tooLarge = "too-large"
    case unknownKind = "unknown-kind"
    case truncated
    case trailingBytes = "trailing-bytes"
    /// A flag, format or reason that does not exist, a format that an offer has twice, a piece without bytes that is
    /// not the last, or a size that no file has.
    case badValue = "bad-value"
    /// A name of a file that is none: empty, `.` or `..`, with a separator or a zero byte, no UTF-8, or in too deep a
    /// folder.
    case badName = "bad-name"
}
