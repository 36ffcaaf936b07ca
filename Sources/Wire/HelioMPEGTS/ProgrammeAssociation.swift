import HelioCore

/// The programme association table: where the table of each programme is (ITU-T H.222.0 section 2.4.4.3). Only that of
/// one programme is written, and the first is read.
///
/// ```
/// | table: 0 (8) | 1 0 reserved (4) | section length (12) | transport stream (16) | reserved (2) | version (5) | now (1) |
/// | section (8) | last section (8) | { programme (16) | reserved (3) | PID (13) }… | checksum (32) |
/// ```
struct ProgrammeAssociation: Sendable, Hashable {
    /// The PID of the first programme's map.
    var mapPID: UInt16

    init(mapPID: UInt16) { self.mapPID = mapPID }

    /// Reads a whole section whose checksum is right; `nil` where it is malformed, or holds no programme.
    init?(section: RawSpan) {
        guard let body = TableSection.body(of: section, table: 0) else { return nil }
        var found: UInt16?
        guard body.count.isMultiple(of: 4) else { return nil }
        for offset in stride(from: body.lowerBound, to: body.upperBound, by: 4) {
            guard let number = section.uint16(at: offset), let word = section.uint16(at: offset + 2) else { return nil }
            // 0 is the network's own table.
            if number != 0, found == nil { found = word & 0x1FFF }
        }
        guard let found, (0x10..<TransportStream.nullPID).contains(found) else { return nil }
        mapPID = found
    }

    /// The whole section, with its checksum.
    var section: [UInt8] {
        var body: [UInt8] = []
        body.append(bigEndian: TransportStream.programmeNumber)
        body.append(bigEndian: 0xE000 | mapPID)
        return TableSection.write(table: 0, of: 1, version: 0, body: body)
    }
}
