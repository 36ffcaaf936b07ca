import HelioBitstream
import HelioCore

/// Retransmissions in a separate RTP stream: RTX (RFC 4588 section 4). The payload of an RTX packet begins with the
/// sequence number that the packet had in its own stream; the rest is the original payload.
///
/// ```
/// | RTP header of the RTX stream … | original sequence number (16) | original payload … |
/// ```
package enum Retransmission {
    /// The number of bytes that an RTX payload has in addition to the original payload.
    package static let overhead = 2

    /// Appends the sequence number that the packet had in its own stream; the caller appends the original payload after
    /// it.
    package static func append(original sequence: UInt16, to packet: inout [UInt8]) {
        packet.append(bigEndian: sequence)
    }

    /// Splits the payload of an RTX packet, without padding, into the original sequence number and the range of the
    /// original payload. Returns `nil` if the payload is too short: senders probe with RTX packets that contain only
    /// padding.
    package static func split(
        _ payload: Range<Int>, of packet: RawSpan
    ) -> (original: UInt16, payload: Range<Int>)? {
        guard payload.count >= overhead, let sequence = packet.uint16(at: payload.lowerBound) else { return nil }
        return (sequence, payload.lowerBound + overhead..<payload.upperBound)
    }
}
