import HelioCore

/// A one-shot query for the addresses of a name (RFC 6762 section 5.1; the format is RFC 1035 section 4.1):
///
///     +--------+--------+--------+--------+--------+--------+
///     |   id   |    0   |    2   |    0   |    0   |    0   |    flags; counts: questions, answers, others
///     +--------+--------+--------+--------+--------+--------+
///     |  name ...  |  type  | class  |  name ...  |  type   ...
///     +------------+--------+--------+------------+--------
///
/// One question asks for IPv4, one for IPv6. The class's upper bit asks for a unicast response (section 5.4).
package struct MulticastQuestion: Hashable, Sendable {
    /// The query's identifier, which unicast responses contain, too (section 6.7).
    package var id: UInt16
    package var name: String

    package init(id: UInt16, name: String) {
        self.id = id
        self.name = name
    }

    /// Serialises the query; `nil` if the name is not a valid DNS name.
    package func serialised() -> [UInt8]? {
        guard let name = MulticastName.serialised(name) else { return nil }
        var bytes: [UInt8] = []
        for field in [id, 0, 2, 0, 0, 0] { bytes.append(bigEndian: field) }
        for type in [DNSType.a, .aaaa] {
            bytes += name
            bytes.append(bigEndian: type.rawValue)
            bytes.append(bigEndian: 0x8001 as UInt16)
        }
        return bytes
    }
}
