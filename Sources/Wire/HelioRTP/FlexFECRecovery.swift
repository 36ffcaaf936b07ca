package import HelioCore

/// The first 8 bytes of a FlexFEC header: the XOR of the protected packets' fixed RTP headers and of their lengths
/// (draft-ietf-payload-flexible-fec-scheme-03 sections 4.2 and 6.2). Version, sequence number and SSRC are not covered.
///
/// ```
/// | 0 0 P X CC (8) | M PT (8) | length after the fixed header (16) | timestamp (32) |
/// ```
package struct FlexFECRecovery: Sendable, Hashable {
    /// The length in bytes.
    package static let size = 8

    /// The XOR of the padding bit, the extension bit and the CSRC count; the two version bits are 0.
    package private(set) var flags: UInt8 = 0
    /// The XOR of the marker and the payload type.
    package private(set) var type: UInt8 = 0
    /// The XOR of the packets' lengths after the fixed RTP header, in bytes.
    package private(set) var length: UInt16 = 0
    package private(set) var timestamp: UInt32 = 0

    /// Makes the XOR of no packets.
    package init() {}

    /// Reads the beginning of a FlexFEC packet's payload; `nil` if it is too short.
    package init?(_ payload: RawSpan) {
        guard let flags = payload.uint8(at: 0), let type = payload.uint8(at: 1), let length = payload.uint16(at: 2),
            let timestamp = payload.uint32(at: 4)
        else { return nil }
        self.flags = flags & 0x3F
        self.type = type
        self.length = length
        self.timestamp = timestamp
    }

    /// Adds a whole RTP packet to the XOR. Adding the same packet again removes it.
    ///
    /// - Returns: false, without a change, if the packet is shorter than an RTP header or longer than 65,547 bytes.
    package mutating func add(packet: RawSpan) -> Bool {
        guard let flags = packet.uint8(at: 0), let type = packet.uint8(at: 1), let timestamp = packet.uint32(at: 4),
            let length = UInt16(exactly: packet.byteCount - RTPHeader.fixedSize)
        else { return false }
        self.flags ^= flags & 0x3F
        self.type ^= type
        self.length ^= length
        self.timestamp ^= timestamp
        return true
    }

    package func write(into payload: inout [UInt8]) {
        payload.append(flags)
        payload.append(type)
        payload.append(bigEndian: length)
        payload.append(bigEndian: timestamp)
    }

    /// Rebuilds the only missing packet, after `add` was called for all other protected packets.
    ///
    /// - Parameter rest: the XOR of the FlexFEC packet's parity and of everything after the other packets' fixed
    ///   headers.
    /// - Returns: `nil` if the packet would be longer than `rest`, or is not an RTP packet.
    package func packet(sequence: UInt16, ssrc: SSRC, rest: [UInt8]) -> [UInt8]? {
        guard Int(length) <= rest.count else { return nil }
        var packet: [UInt8] = []
        packet.reserveCapacity(RTPHeader.fixedSize + Int(length))
        packet.append(0x80 | flags)
        packet.append(type)
        packet.append(bigEndian: sequence)
        packet.append(bigEndian: timestamp)
        packet.append(bigEndian: ssrc.rawValue)
        packet.append(contentsOf: rest.prefix(Int(length)))
        guard let header = RTPHeader.parse(packet.span.bytes), header.payload(in: packet.span.bytes) != nil else {
            return nil
        }
        return packet
    }
}
