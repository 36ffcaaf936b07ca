import HelioBitstream
package import HelioCore

/// Retransmissions in a stream of their own: RTX (RFC 4588 section 4). Header and extension keep their values except
/// payload type, SSRC and sequence number, and the payload starts with the original sequence number.
///
/// ```
/// | RTP header of the RTX stream … | original sequence number (16) | original payload … |
/// ```
package enum Retransmission {
    /// The bytes that a packet grows by.
    package static let overhead = 2

    /// Makes the RTX packet, unencrypted, in an array with room for `reserve` more bytes. `nil` if `packet` is not an
    /// RTP packet.
    package static func wrap(
        _ packet: RawSpan, ssrc: SSRC, payloadType: PayloadType, sequence: UInt16, reserve: Int = 0
    ) -> [UInt8]? {
        guard let header = RTPHeader.parse(packet), header.payload(in: packet) != nil else { return nil }
        var wrapped: [UInt8] = []
        wrapped.reserveCapacity(packet.byteCount + overhead + reserve)
        wrapped.append(packet, 0..<header.length)
        rename(&wrapped, ssrc: ssrc, payloadType: payloadType, sequence: sequence)
        wrapped.append(bigEndian: header.sequence)
        wrapped.append(packet, header.length..<packet.byteCount)
        return wrapped
    }

    /// Restores the retransmitted packet as it was in its own stream, but without padding. `nil` if `packet` is not an
    /// RTP packet or holds no original: senders probe with RTX packets that contain only padding.
    package static func unwrap(_ packet: RawSpan, ssrc: SSRC, payloadType: PayloadType) -> [UInt8]? {
        guard let header = RTPHeader.parse(packet), let payload = header.payload(in: packet),
            payload.count >= overhead, let sequence = packet.uint16(at: payload.lowerBound)
        else { return nil }
        var original: [UInt8] = []
        original.reserveCapacity(header.length + payload.count - overhead)
        original.append(packet, 0..<header.length)
        original[0] &= ~0x20
        rename(&original, ssrc: ssrc, payloadType: payloadType, sequence: sequence)
        original.append(packet, payload.lowerBound + overhead..<payload.upperBound)
        return original
    }

    private static func rename(_ packet: inout [UInt8], ssrc: SSRC, payloadType: PayloadType, sequence: UInt16) {
        packet[1] = packet[1] & 0x80 | payloadType.rawValue
        packet.set(bigEndian: sequence, at: 2)
        packet.set(bigEndian: ssrc.rawValue, at: 8)
    }
}
