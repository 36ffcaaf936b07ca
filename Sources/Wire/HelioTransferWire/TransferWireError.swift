/// An error of parsing bytes as a message of the transfer channel. Each is a counted drop at the receiver.
package enum TransferWireError: String, Error, Hashable, Sendable, CaseIterable {
    case tooLarge = "too-large"
    case unknownKind = "unknown-kind"
    case truncated
    case trailingBytes = "trailing-bytes"
    /// A flag, format or reason that does not exist, a format that an offer has twice, or a piece without bytes that is
    /// not the last.
    case badValue = "bad-value"
}
