import HelioCore
import HelioMPEGTS

/// The header and adaptation field of a transport packet, and the range of its payload (ITU-T H.222.0 sections 2.4.3.3
/// and 2.4.3.5).
struct TransportPacket {
    var pid: UInt16
    /// `payload_unit_start_indicator`: a PES packet or a section starts in this packet.
    var startsUnit: Bool
    /// `continuity_counter`.
    var counter: UInt8
    /// `discontinuity_indicator`: the counter or the PCR is intentionally discontinuous.
    var isDiscontinuity = false
    /// The program clock reference, in ticks of 27 MHz.
    var pcr: Int64?
    /// The range of the payload, empty if the packet has none.
    var payload: Range<Int>

    var hasPayload: Bool { !payload.isEmpty }

    /// Reads a packet of 188 bytes; the caller must have checked its sync byte.
    init(_ packet: RawSpan, at start: Int) throws(TransportPacketError) {
        guard let word = packet.uint16(at: start + 1), let flags = packet.uint8(at: start + 3) else { throw .malformed }
        guard word & 0x8000 == 0 else { throw .broken }
        pid = word & 0x1FFF
        startsUnit = word & 0x4000 != 0
        counter = flags & 0x0F
        let end = start + TransportStream.packetSize
        payload = start + 4..<end
        // The other fields of a null packet are meaningless.
        guard pid != TransportStream.nullPID else { return }
        guard flags & 0xC0 == 0 else { throw .scrambled }
        guard flags & 0x30 != 0 else { throw .malformed }
        guard flags & 0x20 != 0 else { return }
        let length = Int(packet.uint8(at: start + 4) ?? 0)
        let isAlone = flags & 0x10 == 0
        guard isAlone ? length == 183 : length <= 182 else { throw .malformed }
        payload = start + 5 + length..<end
        guard length > 0, let marks = packet.uint8(at: start + 5) else { return }
        isDiscontinuity = marks & 0x80 != 0
        guard marks & 0x10 != 0 else { return }
        guard length >= 7, let high = packet.uint32(at: start + 6), let low = packet.uint16(at: start + 10),
            low & 0x1FF < 300
        else { throw .malformed }
        pcr = (Int64(high) << 1 | Int64(low >> 15)) * 300 + Int64(low & 0x1FF)
    }
}
