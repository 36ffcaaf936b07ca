import HelioCore
import HelioMDNS
import Testing

struct MulticastDNSTests {
    /// The bytes were written by hand after RFC 1035 section 4.1.
    @Test func questionIsWritten() {
        let expected: [UInt8] =
            [0x12, 0x34, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]
            + [3] + Array("a-b".utf8) + [5] + Array("local".utf8) + [0, 0, 1, 0x80, 1]
            + [3] + Array("a-b".utf8) + [5] + Array("local".utf8) + [0, 0, 28, 0x80, 1]
        #expect(MulticastQuestion(id: 0x1234, name: "a-b.local").serialised() == expected)
    }

    @Test(arguments: ["", ".local", "a..local", "local.", String(repeating: "x", count: 64), longName])
    func whatIsNoNameIsNotAsked(_ name: String) {
        #expect(MulticastQuestion(id: 1, name: name).serialised() == nil)
    }

    private static let longName = Array(repeating: "abcdefghi", count: 26).joined(separator: ".")

    private static let header: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 2, 0, 0, 0, 0]
    private static let name: [UInt8] = [3] + Array("A-b".utf8) + [5] + Array("LOCAL".utf8) + [0]
    private static let a: [UInt8] = [0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 192, 0, 2, 7]
    private static let aaaa: [UInt8] =
        [0, 28, 0x80, 1, 0, 0, 0, 120, 0, 16, 0x20, 1, 13, 0xB8]
        + [UInt8](
            repeating: 0, count: 11) + [9]

    private func read(_ bytes: [UInt8]) -> MulticastAnswer? { MulticastAnswer(parsing: bytes.span.bytes) }

    /// The second record's name is a pointer to the first one's.
    @Test func answerIsRead() throws {
        let message = Self.header + Self.name + Self.a + [0xC0, 12] + Self.aaaa
        let answer = try #require(read(message))
        let six = try #require(IPAddress("2001:db8::9"))
        #expect(answer.addresses(of: "a-B.local") == [.v4(0xC000_0207), six])
        #expect(answer.addresses(of: "b.local").isEmpty)
    }

    /// An answer truncated anywhere is rejected.
    @Test func cutAnswersAreNone() {
        let message = Self.header + Self.name + Self.a + [0xC0, 12] + Self.aaaa
        for count in 0..<message.count {
            #expect(read(Array(message.prefix(count))) == nil, "\(count)")
        }
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
    }

    @Test(arguments: [
        Hostile(testDescription: "a pointer to itself", bytes: header + [0xC0, 12] + a + name + a),
        Hostile(testDescription: "a pointer ahead", bytes: header + [0xC0, 28] + a + name + a),
        Hostile(testDescription: "a label of an unknown kind", bytes: header + [0x41, 1] + a + name + a),
        Hostile(testDescription: "an error", bytes: [0, 0, 0x84, 3] + header.dropFirst(4) + name + a + name + a),
        Hostile(testDescription: "a question", bytes: [0, 0, 4, 0] + header.dropFirst(4) + name + a + name + a),
        Hostile(testDescription: "records that are not there", bytes: [0, 0, 0x84, 0, 0, 0, 255, 255, 0, 0, 0, 0]),
        Hostile(
            testDescription: "a name without end",
            bytes: header + Array(repeating: [63] + [UInt8](repeating: 65, count: 63), count: 8).joined() + [0] + a),
    ])
    func hostileAnswersAreNone(_ hostile: Hostile) {
        #expect(read(hostile.bytes) == nil)
    }

    /// Records of other types, classes and lengths are skipped.
    @Test func otherRecordsAreSkipped() throws {
        let text: [UInt8] = [0, 16, 0x80, 1, 0, 0, 0, 120, 0, 3, 2, 65, 66]
        let short: [UInt8] = [0, 1, 0, 1, 0, 0, 0, 120, 0, 3, 1, 2, 3]
        let chaos: [UInt8] = [0, 1, 0, 3] + Self.a.dropFirst(4)
        let header: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 2, 0, 1, 0, 1]
        let message = header + Self.name + text + Self.name + short + Self.name + chaos + Self.name + Self.a
        let answer = try #require(read(message))
        #expect(answer.records == [.init(name: "a-b.local", ip: .v4(0xC000_0207))])
    }
}
