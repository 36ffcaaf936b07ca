import HelioCore

/// The reason why a datagram's plaintext can't be parsed as a control message. The receiver drops and counts such
/// datagrams.
package enum ControlWireError: String, FieldError, Hashable, Sendable, CaseIterable {
    case tooLarge = "too-large"
    case unknownKind = "unknown-kind"
    case unknownAction = "unknown-action"
    case truncated
    case trailingBytes = "trailing-bytes"
    /// A coordinate or pressure that is not a number in 0 ... 1.
    case badCoordinate = "bad-coordinate"
    /// An unknown button, key or flag, or a rate of 0.
    case badValue = "bad-value"
    /// Text that is empty, longer than 256 bytes, or not UTF-8.
    case badText = "bad-text"
}

/// The offset of the next field of a control message, which is little-endian throughout (requirements, decision
/// "Control packet").
typealias ControlOffset = FieldOffset<ControlWireError>
