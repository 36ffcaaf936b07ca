/// What a data channel carries: the two kinds that WebRTC tells apart. Either may be empty.
package enum DataChannelMessage: Hashable, Sendable {
    /// UTF-8 as it came: whoever shows it makes sure that it is.
    case text([UInt8])
    case binary([UInt8])

    package var bytes: [UInt8] {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes
        }
    }

    /// RFC 8831 section 8. SCTP carries no empty messages: a byte of zero stands for nothing (section 6.6).
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
