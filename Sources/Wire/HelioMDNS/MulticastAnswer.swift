package import HelioCore

/// The addresses in a multicast DNS response, with their names (RFC 6762 section 6; RFC 1035 section 4.1). A record:
///
///     +------------+--------+--------+-----------------+--------+-----------+
///     |  name ...  |  type  | class  |  time to live   | length |  data ... |
///     +------------+--------+--------+-----------------+--------+-----------+
///
/// A name may end in a pointer to an earlier one: two bits that are set, and a 14-bit offset. The class's upper bit
/// means that the record replaces cached ones.
package struct MulticastAnswer: Hashable, Sendable {
    /// The name and address of one record. The name is in lower case.
    package struct Record: Hashable, Sendable {
        package var name: String
        package var ip: IPAddress

        package init(name: String, ip: IPAddress) {
            self.name = name
            self.ip = ip
        }
    }

    /// The maximum number of records that are stored; further records are dropped. A host has few addresses.
    package static let maximumRecords = 64

    package private(set) var records: [Record] = []

    /// Parses a response; `nil` if the message is a query, an error response, or malformed.
    package init?(parsing message: RawSpan) {
        guard let flags = message.uint16(at: 2), flags & 0x8000 != 0, flags & 0x780F == 0,
            let questions = message.uint16(at: 4), let answers = message.uint16(at: 6),
            let authorities = message.uint16(at: 8), let additional = message.uint16(at: 10)
        else { return nil }
        var offset = 12
        for _ in 0..<questions {
            guard let (_, end) = Self.name(in: message, at: offset), end + 4 <= message.byteCount else { return nil }
            offset = end + 4
        }
        for _ in 0..<Int(answers) + Int(authorities) + Int(additional) {
            guard let (name, end) = Self.name(in: message, at: offset), let type = message.uint16(at: end),
                let dnsClass = message.uint16(at: end + 2), let length = message.uint16(at: end + 8),
                end + 10 + Int(length) <= message.byteCount
            else { return nil }
            offset = end + 10 + Int(length)
            guard dnsClass & 0x7FFF == 1, records.count < Self.maximumRecords else { continue }
            switch (DNSType(rawValue: type), length) {
            case (.a, 4):
                if let bits = message.uint32(at: end + 10) { records.append(Record(name: name, ip: .v4(bits))) }
            case (.aaaa, 16):
                if let high = message.uint64(at: end + 10), let low = message.uint64(at: end + 18) {
                    records.append(Record(name: name, ip: .v6(high: high, low: low)))
                }
            default: break
            }
        }
    }

    /// The addresses of a name, which is compared case-insensitively.
    package func addresses(of name: String) -> [IPAddress] {
        let name = String(decoding: name.utf8.map(MulticastName.lowercase), as: UTF8.self)
        return records.filter { $0.name == name }.map(\.ip)
    }

    /// Reads the name at `start` and returns it with the offset after it. Each pointer has to point to before the
    /// previous pointer's target, which rules out loops.
    private static func name(in message: RawSpan, at start: Int) -> (String, Int)? {
        var text: [UInt8] = []
        var (offset, limit) = (start, start)
        var end: Int?
        while let length = message.uint8(at: offset) {
            switch length {
            case 0: return (String(decoding: text, as: UTF8.self), end ?? offset + 1)
            case 1...UInt8(MulticastName.maximumLabel):
                guard let label = message.bytes(at: offset + 1, count: Int(length)),
                    text.count + label.count + 1 < MulticastName.maximumSize
                else { return nil }
                if !text.isEmpty { text.append(UInt8(ascii: ".")) }
                text += label.map(MulticastName.lowercase)
                offset += 1 + Int(length)
            case 0xC0...:
                guard let pointer = message.uint16(at: offset), Int(pointer & 0x3FFF) < limit else { return nil }
                if end == nil { end = offset + 2 }
                limit = Int(pointer & 0x3FFF)
                offset = limit
            default: return nil
            }
        }
        return nil
    }
}
