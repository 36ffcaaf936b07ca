/// A message of a data channel: text or binary, either possibly empty.
package enum DataChannelMessage: Hashable, Sendable {
    /// Text in UTF-8, unchecked: whoever shows it has to validate it.
    case text([UInt8])
    case binary([UInt8])

    package var bytes: [UInt8] {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes
        }
    }

    /// The payload protocol identifier and the payload (RFC 8831 section 8). SCTP carries no empty messages: a single
    /// zero byte stands for an empty one (section 6.6).
    var wire: (protocolID: UInt32, payload: [UInt8]) {
        switch self {
        case .text(let bytes): bytes.isEmpty ? (56, [0]) : (51, bytes)
        case .binary(let bytes): bytes.isEmpty ? (57, [0]) : (53, bytes)
        }
    }

    init?(protocolID: UInt32, payload: [UInt8]) {
        switch protocolID {
        case 51: self = .text(payload)
        case 53: self = .binary(payload)
        case 56: self = .text([])
        case 57: self = .binary([])
        default: return nil
        }
    }
}
