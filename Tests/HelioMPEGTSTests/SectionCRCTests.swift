import Testing

@testable import HelioMPEGTS

struct SectionCRCTests {
    /// The check value of CRC-32/MPEG-2 in the catalogue of parametrised CRC algorithms.
    @Test func check() {
        #expect(SectionCRC.of(Array("123456789".utf8)) == 0x0376_E6E7)
    }

    /// The CRC of a section including its checksum is 0.
    @Test func whole() {
        let section = ProgramAssociationTable(pmtPID: 0x1000).section
        #expect(SectionCRC.of(section) == 0)
    }
}
