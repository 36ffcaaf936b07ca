private import HelioCore

/// A message that controls the connection itself (RTMP sections 5.4 and 6.2). The chunk reader handles chunk sizes and
/// aborts.
package enum RTMPControl: Sendable, Hashable {
    /// The limit type of a peer bandwidth message.
    package enum Limit: UInt8, Sendable, Hashable {
        case hard = 0
        case soft = 1
        case dynamic = 2
    }

    /// The number of bytes received so far, modulo 2^32.
    case acknowledgement(UInt32)
    /// The number of bytes after which the sender of this message expects an acknowledgement.
    case windowSize(UInt32)
    /// The acknowledgement window that the receiver of this message should announce in return; it also limits the bytes
    /// that the receiver may have unacknowledged.
    case peerBandwidth(UInt32, Limit)
    case streamBegin(UInt32)
    case streamEnd(UInt32)
    /// A ping, to be answered with a pong of the same number.
    case ping(UInt32)
    case pong(UInt32)
    /// A user control event that Heliograph does not use, by its number.
    case other(UInt16)

    /// Returns true for message types that `init(_:)` reads.
    package static func reads(_ type: RTMPMessageType) -> Bool {
        [.acknowledgement, .userControl, .windowSize, .peerBandwidth].contains(type)
    }

    /// Reads a control message; `nil` if it is truncated or invalid.
    package init?(_ message: RTMPMessage) {
        let bytes = message.payload.span.bytes
        switch message.type {
        case .acknowledgement:
            guard bytes.byteCount == 4, let value = bytes.uint32(at: 0) else { return nil }
            self = .acknowledgement(value)
        case .windowSize:
            guard bytes.byteCount == 4, let value = bytes.uint32(at: 0) else { return nil }
            self = .windowSize(value)
        case .peerBandwidth:
            guard bytes.byteCount == 5, let value = bytes.uint32(at: 0),
                let limit = bytes.uint8(at: 4).flatMap(Limit.init(rawValue:))
            else { return nil }
            self = .peerBandwidth(value, limit)
        case .userControl:
            guard let event = bytes.uint16(at: 0) else { return nil }
            guard [0, 1, 6, 7].contains(event) else {
                self = .other(event)
                return
            }
            guard let value = bytes.uint32(at: 2) else { return nil }
            switch event {
            case 0: self = .streamBegin(value)
            case 1: self = .streamEnd(value)
            case 6: self = .ping(value)
            default: self = .pong(value)
            }
        default: return nil
        }
    }

    package var message: RTMPMessage {
        var payload: [UInt8] = []
        switch self {
        case .acknowledgement(let value):
            payload.append(bigEndian: value)
            return RTMPMessage(.acknowledgement, payload: payload)
        case .windowSize(let value):
            payload.append(bigEndian: value)
            return RTMPMessage(.windowSize, payload: payload)
        case .peerBandwidth(let value, let limit):
            payload.append(bigEndian: value)
            payload.append(limit.rawValue)
            return RTMPMessage(.peerBandwidth, payload: payload)
        case .streamBegin(let value): return Self.event(0, value)
        case .streamEnd(let value): return Self.event(1, value)
        case .ping(let value): return Self.event(6, value)
        case .pong(let value): return Self.event(7, value)
        case .other(let event): return Self.event(event, 0)
        }
    }

    private static func event(_ event: UInt16, _ value: UInt32) -> RTMPMessage {
        var payload: [UInt8] = []
        payload.append(bigEndian: event)
        payload.append(bigEndian: value)
        return RTMPMessage(.userControl, payload: payload)
    }
}
