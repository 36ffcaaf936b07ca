import HelioCore
import Testing

@testable import HelioMPEGTS

struct ProgramTableTests {
    /// The program association table of FFmpeg 5.1, with Heliograph's PID of the program map table.
    @Test func association() {
        let section: [UInt8] = [
            0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x00, 0x00, 0x00, 0x01, 0xF0, 0x00, 0x2A, 0xB1, 0x04, 0xB2,
        ]
        #expect(ProgramAssociationTable(pmtPID: 0x1000).section == section)
        #expect(ProgramAssociationTable(section: section.span.bytes)?.pmtPID == 0x1000)
    }

    @Test func mapOfH264AndAAC() {
        let map = ProgramMapTable(TransportProgram(video: .h264, sound: .aac), version: 0)
        #expect(
            map.section.dropLast(4) == [
                0x02, 0xB0, 0x17, 0x00, 0x01, 0xC1, 0x00, 0x00, 0xE1, 0x00, 0xF0, 0x00,
                0x1B, 0xE1, 0x00, 0xF0, 0x00, 0x0F, 0xE1, 0x01, 0xF0, 0x00,
            ])
    }

    @Test(arguments: [1, 2])
    func mapOfH265AndOpus(channels: Int) {
        let map = ProgramMapTable(TransportProgram(video: .h265, sound: .opus(channels: channels)), version: 5)
        #expect(
            map.section.dropLast(4) == [
                0x02, 0xB0, 0x21, 0x00, 0x01, 0xCB, 0x00, 0x00, 0xE1, 0x00, 0xF0, 0x00,
                0x24, 0xE1, 0x00, 0xF0, 0x00,
                0x06, 0xE1, 0x01, 0xF0, 0x0A, 0x05, 0x04, 0x4F, 0x70, 0x75, 0x73, 0x7F, 0x02, 0x80, UInt8(channels),
            ])
    }

    static let programs: [TransportProgram] = [nil, .h264, .h265].flatMap { (video: VideoCodec?) in
        [nil, .aac, .opus(channels: 1), .opus(channels: 2)].map { TransportProgram(video: video, sound: $0) }
    }

    @Test(arguments: programs)
    func mapsComeBack(program: TransportProgram) {
        let map = ProgramMapTable(program, version: 31)
        #expect(ProgramMapTable(section: map.section.span.bytes, pmtPID: 0x1000) == map)
        #expect(SectionCRC.of(map.section) == 0)
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout [UInt8]) -> Void
    }

    static let hostile = [
        Hostile(testDescription: "another table") { $0[0] = 3 },
        Hostile(testDescription: "not in force yet") { $0[5] &= 0xFE },
        Hostile(testDescription: "of several sections") { $0[7] = 1 },
        Hostile(testDescription: "no long section") { $0[1] &= 0x7F },
        Hostile(testDescription: "descriptors past the end") { $0[11] = 0xFF },
        Hostile(testDescription: "a stream's descriptors past the end") { $0[16] = 0xFF },
        Hostile(testDescription: "a stream in the table's own packets") {
            $0[13] = 0xF0
            $0[14] = 0
        },
        Hostile(testDescription: "a stream in the association's packets") {
            $0[13] = 0xE0
            $0[14] = 0
        },
        Hostile(testDescription: "a stream in packets that fill the line") {
            $0[13] = 0xFF
            $0[14] = 0xFF
        },
        Hostile(testDescription: "cut in a stream") { $0.removeLast(6) },
        Hostile(testDescription: "picture and sound in the same packets") {
            $0[18] = 0xE1
            $0[19] = 0
        },
    ]

    @Test(arguments: hostile)
    func refused(hostile: Hostile) {
        var section = ProgramMapTable(TransportProgram(video: .h264, sound: .aac), version: 0).section
        hostile.change(&section)
        #expect(ProgramMapTable(section: section.span.bytes, pmtPID: 0x1000) == nil)
    }

    /// A private stream is Opus only with the right descriptor.
    @Test func otherSoundIsPassedOver() {
        var section = ProgramMapTable(TransportProgram(video: .h265, sound: .opus(channels: 2)), version: 0).section
        section[24] = UInt8(ascii: "o")
        let map = ProgramMapTable(section: section.span.bytes, pmtPID: 0x1000)
        #expect(map?.program == TransportProgram(video: .h265))
    }
}
