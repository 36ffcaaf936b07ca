import HelioCore

/// A message of the Data Channel Establishment Protocol (RFC 8832 section 5).
///
/// ```
/// |  type = 3     | channel type  |           priority            |
/// |                    reliability parameter                      |
/// |         label length          |       protocol length         |
/// |   label, then protocol, both UTF-8                            |
/// ```
package enum ChannelProtocolMessage: Sendable, Hashable {
    case open(DataChannelDescription)
    case acknowledgement

    /// Parses a message; `nil` if it is truncated, its type is unknown, or its text is not UTF-8.
    package static func parse(_ bytes: RawSpan) -> Self? {
        switch bytes.uint8(at: 0) {
        case 2: return .acknowledgement
        case 3: return parseOpen(bytes).map(Self.open)
        default: return nil
        }
    }

    private static func parseOpen(_ bytes: RawSpan) -> DataChannelDescription? {
        guard let kind = bytes.uint8(at: 1), let priority = bytes.uint16(at: 2), let limit = bytes.uint32(at: 4),
            let labelLength = bytes.uint16(at: 8), let protocolLength = bytes.uint16(at: 10),
            let label = bytes.bytes(at: 12, count: Int(labelLength)),
            let name = bytes.bytes(at: 12 + Int(labelLength), count: Int(protocolLength)),
            let label = String(validating: label, as: UTF8.self), let name = String(validating: name, as: UTF8.self)
        else { return nil }
        var description = DataChannelDescription(label: label)
        description.subprotocol = name
        description.priority = priority
        description.isOrdered = kind & 0x80 == 0
        switch kind & 0x7F {
        case 0: description.reliability = .reliable
        case 1: description.reliability = .retransmissions(limit)
        case 2: description.reliability = .lifetime(.milliseconds(Int64(limit)))
        default: return nil
        }
        return description
    }

    package func serialised() -> [UInt8] {
        guard case .open(let description) = self else { return [2] }
        var kind: UInt8 = description.isOrdered ? 0 : 0x80
        var limit: UInt32 = 0
        switch description.reliability {
        case .reliable: break
        case .retransmissions(let count):
            kind |= 1
            limit = count
        case .lifetime(let lifetime):
            kind |= 2
            limit = UInt32(clamping: lifetime.nanoseconds / 1_000_000)
        }
        let label = Array(description.label.utf8)
        let name = Array(description.subprotocol.utf8)
        var bytes: [UInt8] = [3, kind]
        bytes.append(bigEndian: description.priority)
        bytes.append(bigEndian: limit)
        bytes.append(bigEndian: UInt16(clamping: label.count))
        bytes.append(bigEndian: UInt16(clamping: name.count))
        return bytes + label + name
    }
}
