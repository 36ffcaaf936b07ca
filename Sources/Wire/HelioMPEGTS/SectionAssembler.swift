import HelioCore

/// Puts the sections of a table together from packets (ITU-T H.222.0 section 2.4.4.1): the first byte of a payload in
/// which one starts tells how much of the last one is before it.
struct SectionAssembler: Sendable {
    /// What there is of a section, the newest packet's rest included; empty where none has begun.
    private var bytes: [UInt8] = []

    /// Forgets what it has: a packet is missing.
    mutating func reset() { bytes = [] }

    /// Takes a payload; returns the whole sections, whose checksums are right.
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
            // It goes no further than where the next one starts.
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
        // Behind the last section all is FF.
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
