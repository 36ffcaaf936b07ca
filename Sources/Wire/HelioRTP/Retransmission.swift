import HelioBitstream
import HelioCore

/// Retransmissions in a stream of their own: RTX (RFC 4588 section 4). The payload of an RTX packet begins with the
/// sequence number that the packet had in its own stream; the rest is the original payload.
///
/// ```
/// | RTP header of the RTX stream … | original sequence number (16) | original payload … |
/// ```
package enum Retransmission {
    /// The bytes that a packet grows by.
    package static let overhead = 2

    /// Appends the sequence number that the packet had in its own stream; the original payload goes behind it.
    package static func append(original sequence: UInt16, to packet: inout [UInt8]) {
        packet.append(bigEndian: sequence)
    }

    /// Splits the payload of an RTX packet (without padding) into the original sequence number and the place of the
    /// original payload. `nil` if it is too short to hold an original: senders probe with RTX packets of nothing but
    /// padding.
    package static func split(
        _ payload: Range<Int>, of packet: RawSpan
    ) -> (original: UInt16, payload: Range<Int>)? {
        guard payload.count >= overhead, let sequence = packet.uint16(at: payload.lowerBound) else { return nil }
        return (sequence, payload.lowerBound + overhead..<payload.upperBound)
    }
}
