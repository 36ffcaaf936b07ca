import HelioCore

/// The common header of an SCTP packet (RFC 9260 section 3.1).
///
/// ```
/// |      source port number       |    destination port number    |
/// |                       verification tag                        |
/// |              checksum, least significant byte first           |
/// ```
package struct SCTPHeader: Sendable, Hashable {
    package static let size = 12

    package var sourcePort: UInt16
    package var destinationPort: UInt16
    package var tag: UInt32
    /// The checksum, converted from little-endian byte order; 0 if the packet has none (RFC 9653).
    package var checksum: UInt32

    /// Parses a header; `nil` if the packet has fewer than 12 bytes.
    package static func parse(_ packet: RawSpan) -> Self? {
        guard
            let source = packet.uint16(at: 0), let destination = packet.uint16(at: 2), let tag = packet.uint32(at: 4),
            let checksum = packet.uint32(at: 8)
        else { return nil }
        return Self(sourcePort: source, destinationPort: destination, tag: tag, checksum: checksum.byteSwapped)
    }
}
