import HelioCore

/// An error of parsing bytes as a message of the transfer channel. The receiver drops and counts such messages.
package enum TransferWireError: String, FieldError, Hashable, Sendable, CaseIterable {
    case tooLarge = "too-large"
    case unknownKind = "unknown-kind"
    case truncated
    case trailingBytes = "trailing-bytes"
    /// An unknown flag, format or reason, a duplicate format in an offer, an empty chunk that is not the last, or an
    /// impossible file size.
    case badValue = "bad-value"
    /// An invalid file name: empty, `.` or `..`, with a separator or a zero byte, not UTF-8, or too deep in folders.
    case badName = "bad-name"
}

/// The offset of the next field of a message of the transfer channel, which is little-endian throughout.
typealias TransferOffset = FieldOffset<TransferWireError>
