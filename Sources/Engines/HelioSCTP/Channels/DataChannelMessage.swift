/// A text or binary message of a data channel; it may be empty.
package enum DataChannelMessage: Hashable, Sendable {
    /// Text in UTF-8, which is not validated.
    case text([UInt8])
    case binary([UInt8])

    package var bytes: [UInt8] {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes
        }
    }

    /// The payload protocol identifier and the SCTP payload (RFC 8831 section 8). An empty message is sent as a single
    /// zero byte with its own identifier, as SCTP allows no empty messages (section 6.6).
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
