import HelioCore

/// A parameter of a RE-CONFIG chunk (RFC 6525 section 4).
package enum ReconfigurationParameter: Sendable, Hashable {
    /// The sender resets the sequence numbers of these outgoing streams, or of all if the list is empty.
    ///
    /// ```
    /// |                   request sequence number                     |
    /// |                   response sequence number                    |
    /// |                  sender's last assigned TSN                   |
    /// |         stream 1              |         stream 2 ...
    /// ```
    case outgoingReset(request: UInt32, response: UInt32, lastTSN: UInt32, streams: [UInt16])
    /// The sender asks the receiver to reset these outgoing streams of the receiver.
    case incomingReset(request: UInt32, streams: [UInt16])
    /// The result of a request.
    case response(to: UInt32, Result)
    /// An unsupported request: a reset of all sequence numbers and TSNs, or the addition of streams.
    case other(request: UInt32)

    package struct Result: Sendable, Hashable {
        package var value: UInt32
        package init(_ value: UInt32) { self.value = value }
        package static let nothingToDo = Self(0)
        package static let performed = Self(1)
        package static let denied = Self(2)
        package static let wrongSequence = Self(5)
        package static let inProgress = Self(6)
    }

    /// Parses a parameter; `nil` if it is truncated or unknown.
    package static func parse(_ item: ChunkReader.Item, in packet: RawSpan) -> Self? {
        let at = item.value.lowerBound
        let count = item.value.count
        guard count >= 4, let number = packet.uint32(at: at) else { return nil }
        switch item.head {
        case 13:
            guard count >= 12, let response = packet.uint32(at: at + 4), let last = packet.uint32(at: at + 8),
                let streams = streams(at + 12..<item.value.upperBound, in: packet)
            else { return nil }
            return .outgoingReset(request: number, response: response, lastTSN: last, streams: streams)
        case 14:
            guard let streams = streams(at + 4..<item.value.upperBound, in: packet) else { return nil }
            return .incomingReset(request: number, streams: streams)
        case 15, 17, 18: return .other(request: number)
        case 16:
            guard count >= 8, let result = packet.uint32(at: at + 4) else { return nil }
            return .response(to: number, Result(result))
        default: return nil
        }
    }

    private static func streams(_ range: Range<Int>, in packet: RawSpan) -> [UInt16]? {
        guard range.count & 1 == 0 else { return nil }
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).compactMap { packet.uint16(at: $0) }
    }

    /// Returns a RE-CONFIG chunk with only this parameter.
    package func chunk() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendChunk(.reconfiguration) { bytes in
            switch self {
            case .outgoingReset(let request, let response, let lastTSN, let streams):
                bytes.appendParameter(13) { bytes in
                    bytes.append(bigEndian: request)
                    bytes.append(bigEndian: response)
                    bytes.append(bigEndian: lastTSN)
                    for stream in streams { bytes.append(bigEndian: stream) }
                }
            case .incomingReset(let request, let streams):
                bytes.appendParameter(14) { bytes in
                    bytes.append(bigEndian: request)
                    for stream in streams { bytes.append(bigEndian: stream) }
                }
            case .response(let request, let result):
                bytes.appendParameter(16) { bytes in
                    bytes.append(bigEndian: request)
                    bytes.append(bigEndian: result.value)
                }
            case .other(let request):
                bytes.appendParameter(15) { $0.append(bigEndian: request) }
            }
        }
        return bytes
    }
}
