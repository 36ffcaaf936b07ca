import HelioCore

/// The fields of an RTP header that SRTP needs (RFC 3550 section 5.1).
///
///      0                   1                   2                   3
///     |V=2|P|X|  CC   |M|     PT      |       sequence number         |
///     |                           timestamp                           |
///     |                             SSRC                              |
///     |  CC contributing sources, of 4 bytes each                     |
///     |  X: profile's 16 bits         |  length in words, 16 bits     |
///     |  the extension's words                                        |
struct SRTPHeader {
    let sequence: UInt16
    let ssrc: SSRC
    /// The number of bytes before the payload, which is at most the packet's size.
    let length: Int

    init(_ packet: [UInt8]) throws(SRTPDrop) {
        let bytes = packet.span.bytes
        guard let first = bytes.uint8(at: 0), let sequence = bytes.uint16(at: 2), let ssrc = bytes.uint32(at: 8) else {
            throw .truncated
        }
        guard first >> 6 == 2 else { throw .badVersion }
        var length = 12 + 4 * Int(first & 0x0F)
        if first & 0x10 != 0 {
            guard let words = bytes.uint16(at: length + 2) else { throw .truncated }
            length += 4 + 4 * Int(words)
        }
        guard length <= bytes.byteCount else { throw .truncated }
        self.sequence = sequence
        self.ssrc = SSRC(ssrc)
        self.length = length
    }
}
