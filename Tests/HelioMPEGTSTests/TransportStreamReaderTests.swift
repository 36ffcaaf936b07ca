import HelioCore
import Testing

@testable import HelioMPEGTS
@testable import HelioReceivers

/// The faults in a damaged stream, by name, and the pictures lost: later ones are not affected.
struct TransportStreamReaderTests {
    /// Ten pictures of three packets each, the first with tables before it.
    private static func stream() throws -> [UInt8] {
        var writer = try TransportStreamWriter(video: .h264)
        var stream: [UInt8] = []
        for index in 0..<10 as Range<Int64> {
            let picture = TransportStreamTests.picture(430, isKeyframe: index == 0)
            try writer.write(video: picture, at: index * 300, into: &stream)
        }
        return stream
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var faults: [String: Int]
        /// The number of the ten pictures that remain.
        var pictures: Int
        var change: @Sendable (inout [UInt8]) -> Void
    }

    /// Packet 2 is the first of the first picture; 5, 6 and 7 are those of the second.
    static let damages = [
        Damage(testDescription: "none", faults: [:], pictures: 10) { _ in },
        Damage(testDescription: "bytes before", faults: ["ts-lost-sync": 1], pictures: 10) {
            $0.insert(contentsOf: [1, 2, 3], at: 0)
        },
        Damage(
            testDescription: "bytes between", faults: ["ts-lost-sync": 1], pictures: 10
        ) { $0.insert(contentsOf: Array(repeating: 0, count: 500), at: 6 * 188) },
        Damage(
            testDescription: "a packet lost in the middle",
            faults: ["ts-discontinuity": 1, "ts-damaged-unit": 1, "ts-headless": 1], pictures: 9
        ) { $0.removeSubrange(6 * 188..<7 * 188) },
        Damage(
            testDescription: "the first of a picture lost", faults: ["ts-discontinuity": 1, "ts-headless": 2],
            pictures: 9
        ) { $0.removeSubrange(5 * 188..<6 * 188) },
        Damage(
            testDescription: "the last of a picture lost", faults: ["ts-discontinuity": 1, "ts-damaged-unit": 1],
            pictures: 9
        ) { $0.removeSubrange(7 * 188..<8 * 188) },
        Damage(testDescription: "a packet twice", faults: ["ts-duplicate": 1], pictures: 10) {
            $0.insert(contentsOf: $0[6 * 188..<7 * 188], at: 7 * 188)
        },
        Damage(
            testDescription: "called broken",
            faults: ["ts-transport-error": 1, "ts-discontinuity": 1, "ts-damaged-unit": 1, "ts-headless": 1],
            pictures: 9
        ) { $0[6 * 188 + 1] |= 0x80 },
        Damage(
            testDescription: "encrypted",
            faults: ["ts-scrambled": 1, "ts-discontinuity": 1, "ts-damaged-unit": 1, "ts-headless": 1], pictures: 9
        ) { $0[6 * 188 + 3] |= 0x80 },
        Damage(
            testDescription: "neither payload nor adaptation",
            faults: ["ts-malformed-packet": 1, "ts-discontinuity": 1, "ts-damaged-unit": 1, "ts-headless": 1],
            pictures: 9
        ) { $0[6 * 188 + 3] &= 0xCF },
        Damage(
            testDescription: "an adaptation field longer than the packet",
            faults: ["ts-malformed-packet": 1, "ts-discontinuity": 1, "ts-damaged-unit": 1], pictures: 9
        ) { $0[7 * 188 + 4] = 200 },
        Damage(testDescription: "a map with a wrong checksum", faults: ["ts-bad-checksum": 1], pictures: 0) {
            $0[188 + 20] ^= 1
        },
        Damage(testDescription: "a pointer past the end", faults: ["ts-malformed-section": 1], pictures: 0) {
            $0[4] = 200
        },
        Damage(
            testDescription: "a unit without a prefix", faults: ["ts-malformed-unit": 1, "ts-headless": 2], pictures: 9
        ) {
            $0[5 * 188 + 6] = 9
        },
        Damage(testDescription: "a unit without a time", faults: ["ts-malformed-unit": 1], pictures: 9) {
            $0[5 * 188 + 11] = 0
        },
        Damage(testDescription: "a unit longer than it says", faults: ["ts-wrong-length": 1], pictures: 9) {
            $0[5 * 188 + 9] -= 1
        },
        Damage(testDescription: "a unit shorter than it says", faults: ["ts-wrong-length": 1], pictures: 9) {
            $0[5 * 188 + 9] += 1
        },
        Damage(testDescription: "no picture in a unit", faults: ["ts-malformed-content": 1], pictures: 9) {
            $0[5 * 188 + 28] = 0x09
        },
    ]

    @Test(arguments: damages)
    func damaged(damage: Damage) throws {
        var stream = try Self.stream()
        // The offsets that the damages assume: a picture's PES packet begins at a packet's fourth byte with a start
        // code prefix; its header has 14 bytes.
        #expect(stream[5 * 188 + 4..<5 * 188 + 7] == [0, 0, 1])
        damage.change(&stream)
        for piece in [Int.max, 1, 188, 100] {
            let (outputs, faults) = TransportStreamTests.read(stream, piece: piece)
            #expect(faults == damage.faults)
            let pictures = outputs.filter { if case .picture = $0 { true } else { false } }
            #expect(pictures.count == damage.pictures)
        }
    }

    /// A section split into pieces of any size, and several in one packet.
    @Test func sections() {
        let section = ProgramMapTable(TransportProgram(video: .h264, sound: .aac), version: 0).section
        for cut in 1..<section.count {
            var assembler = SectionAssembler()
            var faults = DropCounter<TransportStreamFault>()
            #expect(assembler.take([0] + section[..<cut], startsUnit: true, &faults).isEmpty)
            let rest = [UInt8(section.count - cut)] + section[cut...] + section + section + [0xFF, 0xFF]
            #expect(assembler.take(rest, startsUnit: true, &faults) == [section, section, section])
            #expect(faults.total == 0)
        }
        for cut in 1..<section.count {
            var assembler = SectionAssembler()
            var faults = DropCounter<TransportStreamFault>()
            #expect(assembler.take([0] + section[..<cut], startsUnit: true, &faults).isEmpty)
            #expect(assembler.take(section[cut...] + [0xFF], startsUnit: false, &faults) == [section])
            #expect(faults.total == 0)
        }
    }

    /// A unit without an end uses no more memory than the largest picture.
    @Test func endlessUnit() throws {
        var writer = try TransportStreamWriter(video: .h264)
        var stream: [UInt8] = []
        try writer.write(video: TransportStreamTests.picture(70000, isKeyframe: true), at: 0, into: &stream)
        var reader = TransportStreamReader(pictureLimit: 100_000)
        reader.append(stream)
        while reader.next() != nil {}
        let last = try #require(try TransportStreamTests.packets(stream).last)
        for index in 1..<2000 {
            let counter = (Int(last.counter) + index) & 15
            reader.append([0x47, 0x01, 0x00, 0x10 | UInt8(counter)] + [UInt8](repeating: 7, count: 184))
            #expect(reader.next() == nil)
            #expect(reader.bufferedByteCount <= 100_188)
        }
        #expect(reader.faults[.tooLarge] == 1)
    }
}
