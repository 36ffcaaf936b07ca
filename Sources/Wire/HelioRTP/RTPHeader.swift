package import HelioCore

/// The header of an RTP packet (RFC 3550 section 5.1), which SRTP does not encrypt.
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// |V=2|P|X|  CC   |M|     PT      |       sequence number         |
/// |                           timestamp                           |
/// |           synchronization source (SSRC) identifier            |
/// |            contributing source (CSRC) identifiers  0…15       |
/// |      defined by profile       |   length in words of 4 bytes  |  if X is set
/// |                       header extension                        |
/// ```
package struct RTPHeader: Sendable, Hashable {
    /// The length without contributing sources and extension, in bytes.
    package static let fixedSize = 12

    /// The marker: true for the frame's last packet (RFC 6184 section 5.1, RFC 7798 section 4.1).
    package var marker: Bool
    package var payloadType: PayloadType
    package var sequence: UInt16
    /// The RTP timestamp, in 1/90,000 s for video, taken from the capture time (requirement row 11).
    package var timestamp: UInt32
    package var ssrc: SSRC
    /// True if the payload ends in padding, whose last byte is the padding's length.
    package var hasPadding = false
    /// The header extension's 16-bit profile; 0 if there is no extension.
    package private(set) var extensionProfile: UInt16 = 0
    /// The range of the extension's data in the packet; empty if there is none.
    package private(set) var extensionData = fixedSize..<fixedSize
    /// The length of everything before the payload, in bytes.
    package private(set) var length = fixedSize

    package init(marker: Bool, payloadType: PayloadType, sequence: UInt16, timestamp: UInt32, ssrc: SSRC) {
        self.marker = marker
        self.payloadType = payloadType
        self.sequence = sequence
        self.timestamp = timestamp
        self.ssrc = ssrc
    }

    /// Reads a packet's header; `nil` if the version is not 2, or the header is incomplete.
    ///
    /// Reads nothing after the header, so the payload may still be encrypted.
    package static func parse(_ packet: RawSpan) -> Self? {
        guard
            let first = packet.uint8(at: 0), first >> 6 == 2, let second = packet.uint8(at: 1),
            let sequence = packet.uint16(at: 2), let timestamp = packet.uint32(at: 4),
            let ssrc = packet.uint32(at: 8)
        else { return nil }
        var header = Self(
            marker: second & 0x80 != 0, payloadType: PayloadType(second), sequence: sequence,
            timestamp: timestamp, ssrc: SSRC(ssrc))
        header.hasPadding = first & 0x20 != 0
        header.length += Int(first & 0x0F) * 4
        if first & 0x10 != 0 {
            guard let profile = packet.uint16(at: header.length), let words = packet.uint16(at: header.length + 2)
            else { return nil }
            let start = header.length + 4
            header.extensionProfile = profile
            header.extensionData = start..<start + Int(words) * 4
            header.length = header.extensionData.upperBound
        }
        guard header.length <= packet.byteCount else { return nil }
        return header
    }

    /// The range of the payload in the whole, decrypted packet; `nil` if the padding's length is 0 or exceeds the
    /// payload.
    package func payload(in packet: RawSpan) -> Range<Int>? {
        guard length <= packet.byteCount else { return nil }
        guard hasPadding else { return length..<packet.byteCount }
        guard let padding = packet.uint8(at: packet.byteCount - 1), padding > 0 else { return nil }
        let end = packet.byteCount - Int(padding)
        return end >= length ? length..<end : nil
    }

    /// Appends the fixed header. The caller appends the extension if there is one, then the payload, then the padding
    /// if `hasPadding` is true; contributing sources are never written.
    package func write(into packet: inout [UInt8], hasExtension: Bool) {
        packet.append(0x80 | (hasPadding ? 0x20 : 0) | (hasExtension ? 0x10 : 0))
        packet.append(payloadType.rawValue | (marker ? 0x80 : 0))
        packet.append(bigEndian: sequence)
        packet.append(bigEndian: timestamp)
        packet.append(bigEndian: ssrc.rawValue)
    }
}
