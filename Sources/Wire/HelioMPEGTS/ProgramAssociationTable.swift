import HelioCore

/// The program association table (PAT): the PID of each program's map (ITU-T H.222.0 section 2.4.4.3). Heliograph
/// writes one program and reads the first one.
///
/// ```
/// | table: 0 (8) | 1 0 reserved (4) | length (12) | transport stream (16) | reserved (2) | version (5) | now (1) |
/// | section (8) | last section (8) | { program (16) | reserved (3) | PID (13) }… | checksum (32) |
/// ```
package struct ProgramAssociationTable: Sendable, Hashable {
    /// The PID of the first program's map.
    package var pmtPID: UInt16

    init(pmtPID: UInt16) { self.pmtPID = pmtPID }

    /// Reads a whole section with a valid checksum; `nil` if it is malformed, or has no program.
    package init?(section: RawSpan) {
        guard let body = TableSection.body(of: section, table: 0) else { return nil }
        var found: UInt16?
        guard body.count.isMultiple(of: 4) else { return nil }
        for offset in stride(from: body.lowerBound, to: body.upperBound, by: 4) {
            guard let number = section.uint16(at: offset), let word = section.uint16(at: offset + 2) else { return nil }
            // Program number 0 denotes the network information table, not a program.
            if number != 0, found == nil { found = word & 0x1FFF }
        }
        guard let found, (0x10..<TransportStream.nullPID).contains(found) else { return nil }
        pmtPID = found
    }

    /// The whole section, with its checksum.
    var section: [UInt8] {
        var body: [UInt8] = []
        body.append(bigEndian: TransportStream.programNumber)
        body.append(bigEndian: 0xE000 | pmtPID)
        return TableSection.write(table: 0, of: 1, version: 0, body: body)
    }
}
