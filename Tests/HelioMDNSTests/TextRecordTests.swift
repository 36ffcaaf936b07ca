import HelioCore
import HelioMDNS
import Testing

struct TextRecordTests {
    private func read(_ bytes: [UInt8]) -> TextRecord? { TextRecord(parsing: bytes.span.bytes) }

    private func strings(_ texts: String...) -> [UInt8] {
        texts.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }

    /// The example of RFC 6763 section 6.7, with a key without a value and an empty value.
    @Test func pairsAreRead() throws {
        let record = try #require(read(strings("txtvers=1", "papersize=A4", "passreq", "PlugIns=")))
        #expect(record["txtvers"] == Array("1".utf8))
        #expect(record["PaperSize"] == Array("A4".utf8))
        #expect(record["passreq"] == [])
        #expect(record["plugins"] == [])
        #expect(record["other"] == nil)
        #expect(record.count == 4)
    }

    /// RFC 6763 section 6.4: of equal keys the first counts, and strings without a key are skipped; values may hold any
    /// bytes.
    @Test func oddStringsArePassedOver() throws {
        let record = try #require(
            read(strings("=x", "", "a=1", "A=2", "b=c=d", "k\u{7}=1") + [4, 0x7A, 0x3D, 0, 0xFF]))
        #expect(record["a"] == Array("1".utf8))
        #expect(record["b"] == Array("c=d".utf8))
        #expect(record["z"] == [0, 0xFF])
        #expect(record.count == 3)
    }

    @Test func whatIsWrittenIsRead() throws {
        var record = TextRecord()
        #expect(record.serialised() == [0])
        #expect(read([0]) == TextRecord())
        #expect(read([]) == TextRecord())
        // A duplicate key, an invalid key, and one too long for a string.
        let areTaken = [
            record.append("Name", Array("Anna's tower".utf8)), record.append("empty", []), record.append("name", [1]),
            record.append("a=b", [1]), record.append("long", [UInt8](repeating: 1, count: 251)),
            record.append("most", [UInt8](repeating: 1, count: 250)),
        ]
        #expect(areTaken == [true, true, false, false, false, true])
        #expect(record.serialised().starts(with: [17] + Array("name=Anna's tower".utf8)))
        #expect(read(record.serialised()) == record)
    }

    @Test(
        arguments: [
            [5, 0x61, 0x3D], [255], [0, 3, 0x61],
            [UInt8](repeating: 0, count: TextRecord.maximumSize + 1),
            (0..<100).flatMap { [UInt8(3), 0x61, 0x30 + $0 / 10, 0x30 + $0 % 10] },
        ] as [[UInt8]])
    func whatIsCutOrTooMuchIsNotRead(_ bytes: [UInt8]) {
        #expect(read(bytes) == nil)
    }

    /// The longest key without a value: serialised again, it must not grow.
    @Test func longestKeyAlone() throws {
        let record = try #require(read([255] + [UInt8](repeating: 0x61, count: 255)))
        #expect(read(record.serialised()) == record)
    }
}

struct HostDescriptionTests {
    private static let print = (0..<32).map { UInt8($0 * 8) }

    private func describe(_ pairs: [(String, String)]) -> (description: HostDescription?, malformed: Int) {
        var record = TextRecord()
        for (key, value) in pairs { record.append(key, Array(value.utf8)) }
        var malformed = 0
        let description = HostDescription(record, malformed: &malformed)
        return (description, malformed)
    }

    @Test func whatIsWrittenIsRead() throws {
        let host = HostDescription(
            name: "Türmchen", version: "0.1.0", fingerprint: Self.print, webPort: 8080, webUsesTLS: true)
        let record = host.record
        #expect(record["txtvers"] == Array("1".utf8))
        #expect(record["fp"] == Array(Hexadecimal.text(Self.print).utf8))
        #expect(record["web"] == Array("8080".utf8))
        // Within the size recommended by RFC 6763 section 6.2.
        #expect(record.serialised().count <= 200)
        var malformed = 0
        #expect(HostDescription(record, malformed: &malformed) == host)
        #expect(malformed == 0)
    }

    @Test func littleIsEnough() {
        let (host, malformed) = describe([])
        #expect(host == HostDescription(name: nil, version: nil, fingerprint: nil, webPort: nil))
        #expect(malformed == 0)
    }

    @Test func anotherVersionIsNotRead() {
        #expect(describe([("txtvers", "2")]).description == nil)
        #expect(describe([("txtvers", "")]).description == nil)
    }

    @Test(arguments: [
        ("name", ""), ("name", String(repeating: "x", count: 97)), ("version", "a b"), ("version", "1\u{7}"),
        ("version", String(repeating: "1", count: 33)), ("fp", "abcd"), ("fp", String(repeating: "g", count: 64)),
        ("fp", String(repeating: "é", count: 32)), ("web", "0"), ("web", "65536"), ("web", "+80"), ("web", "080808"),
        ("web", ""),
    ])
    func nonsenseIsLeftOut(key: String, value: String) {
        let (host, malformed) = describe([(key, value)])
        #expect(host == HostDescription(name: nil, version: nil, fingerprint: nil, webPort: nil))
        #expect(malformed == 1)
    }

    @Test func whatIsNoTextIsNoName() {
        var record = TextRecord()
        record.append("name", [0x61, 0xFF])
        var malformed = 0
        #expect(HostDescription(record, malformed: &malformed)?.name == nil)
        #expect(malformed == 1)
    }
}
