import HelioCore
import HelioMPEGTS

/// Reassembles the sections of a table from transport packets (ITU-T H.222.0 section 2.4.4.1). If a section starts in a
/// payload, the payload's first byte is the number of bytes that still belong to the previous section.
struct SectionAssembler: Sendable {
    /// The bytes of the incomplete section so far; empty if none has started.
    private var bytes: [UInt8] = []

    /// Drops the incomplete section because a packet is missing.
    mutating func reset() { bytes = [] }

    /// Reads a payload; returns the sections that it completes, without those whose CRC is wrong.
    mutating func take(
        _ payload: [UInt8], startsUnit: Bool, _ faults: inout DropCounter<TransportStreamFault>
    ) -> [[UInt8]] {
        var sections: [[UInt8]] = []
        guard startsUnit else {
            if !bytes.isEmpty { append(payload[...], &sections, &faults) }
            return sections
        }
        guard let pointer = payload.first.map(Int.init), pointer + 1 < payload.count else {
            faults.count(.malformedSection)
            reset()
            return []
        }
        if !bytes.isEmpty {
            append(payload[1..<1 + pointer], &sections, &faults)
            // A section must be complete before the next section starts.
            if !bytes.isEmpty { faults.count(.malformedSection) }
        }
        reset()
        append(payload[(1 + pointer)...], &sections, &faults)
        return sections
    }

    private mutating func append(
        _ more: ArraySlice<UInt8>, _ sections: inout [[UInt8]], _ faults: inout DropCounter<TransportStreamFault>
    ) {
        bytes += more
        var offset = 0
        // Stuffing bytes of 0xFF follow the last section.
        while offset < bytes.count, bytes[offset] != 0xFF {
            guard let size = TableSection.size(at: offset, of: bytes) else { break }
            guard size <= TableSection.maximumSize else {
                faults.count(.malformedSection)
                return reset()
            }
            guard offset + size <= bytes.count else { break }
            let section = Array(bytes[offset..<offset + size])
            offset += size
            if SectionCRC.of(section) == 0 {
                sections.append(section)
            } else {
                faults.count(.badChecksum)
            }
        }
        if offset < bytes.count, bytes[offset] != 0xFF { bytes.removeFirst(offset) } else { reset() }
    }
}
