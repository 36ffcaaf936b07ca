import HelioCore

/// The format that PAT and PMT sections share (ITU-T H.222.0 section 2.4.4.10): eight bytes before the body, and a CRC
/// after it.
package enum TableSection {
    /// The maximum size of a section, in bytes: 3, and a length of at most 1021.
    package static let maximumSize = 1024
    static let headerSize = 8
    private static let checksumSize = 4

    /// The size of the whole section at an offset; `nil` if its first three bytes, which contain the length, are not
    /// complete.
    package static func size(at offset: Int, of bytes: [UInt8]) -> Int? {
        bytes.span.bytes.uint16(at: offset + 1).map { 3 + Int($0 & 0xFFF) }
    }

    /// The range of a section's body; `nil` if the section belongs to another table, is not in force yet, is not the
    /// only section of its table, or is truncated.
    static func body(of section: RawSpan, table: UInt8) -> Range<Int>? {
        guard section.byteCount >= headerSize + checksumSize, section.uint8(at: 0) == table,
            let word = section.uint16(at: 1), word & 0xC000 == 0x8000,
            let flags = section.uint8(at: 5), flags & 1 == 1,
            section.uint16(at: 6) == 0
        else { return nil }
        return headerSize..<section.byteCount - checksumSize
    }

    /// - Parameter subject: the number of the transport stream in a PAT, or of the program in a PMT.
    static func write(table: UInt8, of subject: UInt16, version: UInt8, body: [UInt8]) -> [UInt8] {
        var section: [UInt8] = [table]
        section.append(bigEndian: 0xB000 | UInt16(headerSize - 3 + body.count + checksumSize))
        section.append(bigEndian: subject)
        section.append(0xC1 | version << 1)
        section.append(contentsOf: [0, 0])
        section.append(contentsOf: body)
        section.append(bigEndian: SectionCRC.of(section))
        return section
    }
}
