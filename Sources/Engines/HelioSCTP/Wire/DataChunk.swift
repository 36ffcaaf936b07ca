import HelioCore

/// A DATA chunk: a message or a fragment of a message (RFC 9260 section 3.3.1).
///
/// ```
/// |   type = 0    |  res  |I|U|B|E|            length             |
/// |                              TSN                              |
/// |      stream identifier        |   stream sequence number      |
/// |                  payload protocol identifier                  |
/// ```
package struct DataChunk: Sendable, Hashable {
    /// The length of the chunk header and the fields of a DATA chunk, in bytes.
    package static let headerSize = 16

    package struct Flags: OptionSet, Sendable, Hashable {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let end = Self(rawValue: 1)
        package static let beginning = Self(rawValue: 2)
        package static let unordered = Self(rawValue: 4)
        /// The sender requests an immediate acknowledgement (RFC 7053).
        package static let immediate = Self(rawValue: 8)
    }

    package var flags: Flags
    package var tsn: UInt32
    package var stream: UInt16
    /// The stream sequence number; meaningless if the message is unordered.
    package var sequence: UInt16
    package var protocolID: UInt32
    /// The range of the payload in the packet. It may be empty, although RFC 9260 forbids that.
    package var payload: Range<Int>

    package static func parse(_ item: ChunkReader.Item, in packet: RawSpan) -> Self? {
        let at = item.value.lowerBound
        guard item.value.count >= headerSize - 4, let tsn = packet.uint32(at: at),
            let stream = packet.uint16(at: at + 4), let sequence = packet.uint16(at: at + 6),
            let protocolID = packet.uint32(at: at + 8)
        else { return nil }
        return Self(
            flags: Flags(rawValue: item.flags & 15), tsn: tsn, stream: stream, sequence: sequence,
            protocolID: protocolID, payload: at + 12..<item.value.upperBound)
    }
}
