import HelioCore
import HelioTransferWire
import Testing

struct FileMessageTests {
    private static let batch = BatchID(0x0102_0304_0506_0708)
    private static let batchBytes: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
    private static let digestBytes = (0..<32).map { UInt8($0) }

    struct Vector: Sendable, CustomTestStringConvertible {
        var message: FileMessage
        var bytes: [UInt8]
        init(_ message: FileMessage, _ bytes: [UInt8]) {
            self.message = message
            self.bytes = bytes
        }
        var testDescription: String { "kind \(bytes[0]), \(bytes.count) bytes" }
    }

    private static let vectors = [
        Vector(
            .offer(FileOffer(batch, count: 3, bytes: 0x0102_0304_05, name: "à")),
            [16] + batchBytes + [3, 0, 0, 0, 5, 4, 3, 2, 1, 0, 0, 0, 2, 0xC3, 0xA0]),
        Vector(
            .entry(batch, index: 9, FileEntry(path: ["d", "f.x"], size: 258, modified: 1_700_000_000)),
            [17] + batchBytes + [9, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0x00, 0xF1, 0x53, 0x65, 0, 0, 0, 0, 2]
                + [1, 0x64, 3, 0x66, 0x2E, 0x78]),
        Vector(
            .entry(batch, index: 0, FileEntry(path: ["d"], isFolder: true)),
            [17] + batchBytes + [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0x64]),
        Vector(.begin(batch, offset: 65536), [18] + batchBytes + [0, 0, 1, 0, 0, 0, 0, 0]),
        Vector(.data(batch, [0xAB, 0]), [19] + batchBytes + [0xAB, 0]),
        Vector(.end(batch, FileDigest(digestBytes)), [20] + batchBytes + digestBytes),
        Vector(.skip(batch, index: 2, .changed), [21] + batchBytes + [2, 0, 0, 0, 10]),
        Vector(.withdraw(batch, .cancelled), [22] + batchBytes + [8]),
        Vector(.accept(batch, next: 7, failed: 1), [24] + batchBytes + [7, 0, 0, 0, 1, 0, 0, 0]),
        Vector(.refuse(batch, .declined), [25] + batchBytes + [1]),
        Vector(.want(batch, index: 1, offset: 0, nil), [26] + batchBytes + [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        Vector(
            .want(batch, index: 1, offset: 5, FileDigest(digestBytes)),
            [26] + batchBytes + [1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0] + digestBytes),
        Vector(.credit(batch, total: 1 << 40), [27] + batchBytes + [0, 0, 0, 0, 0, 1, 0, 0]),
        Vector(.verdict(batch, index: 6, nil), [28] + batchBytes + [6, 0, 0, 0, 0]),
        Vector(.verdict(batch, index: 6, .noSpace), [28] + batchBytes + [6, 0, 0, 0, 3]),
    ]

    @Test("Messages about files are written as the protocol says, and read back", arguments: vectors)
    func messages(vector: Vector) throws {
        #expect(vector.message.serialised() == vector.bytes)
        #expect(vector.message.size == vector.bytes.count)
        #expect(vector.message.batch == Self.batch)
        #expect(try FileMessage(parsing: vector.bytes.span.bytes) == vector.message)
        #expect(FileMessage.isAboutFiles(vector.bytes))
        #expect(throws: TransferWireError.unknownKind) { try TransferMessage(parsing: vector.bytes.span.bytes) }
    }

    @Test("A message that was cut off is refused, at every length", arguments: vectors)
    func truncations(vector: Vector) {
        for count in 0..<vector.bytes.count {
            let cut = Array(vector.bytes.prefix(count))
            // A piece of a file that is shorter is another piece.
            if case .data = vector.message, count > 9 { continue }
            let error: TransferWireError = count == 9 && vector.bytes[0] == 19 ? .badValue : .truncated
            #expect(throws: error) { try FileMessage(parsing: cut.span.bytes) }
        }
    }

    @Test("A message with a byte too many is refused", arguments: vectors)
    func trailing(vector: Vector) {
        if case .data = vector.message { return }
        let longer = vector.bytes + [0]
        #expect(throws: TransferWireError.trailingBytes) { try FileMessage(parsing: longer.span.bytes) }
    }

    @Test(
        "Kinds, reasons, flags and sizes that do not exist are refused",
        arguments: [
            ([], .truncated), ([15], .unknownKind), ([23] + batchBytes, .unknownKind),
            ([29] + batchBytes, .unknownKind),
            ([255] + batchBytes, .unknownKind), ([4, 0, 0, 0, 0, 1, 65], .unknownKind),
            ([22] + batchBytes + [0], .badValue), ([22] + batchBytes + [15], .badValue),
            ([25] + batchBytes + [0], .badValue), ([28] + batchBytes + [0, 0, 0, 0, 15], .badValue),
            ([21] + batchBytes + [0, 0, 0, 0, 0], .badValue),
            // More failed than there were.
            ([24] + batchBytes + [1, 0, 0, 0, 2, 0, 0, 0], .badValue),
            // Sizes of 2^53 and more.
            ([18] + batchBytes + [0, 0, 0, 0, 0, 0, 32, 0], .badValue),
            ([26] + batchBytes + [0, 0, 0, 0] + [UInt8](repeating: 255, count: 8) + digestBytes, .badValue),
            ([16] + batchBytes + [1, 0, 0, 0] + [UInt8](repeating: 255, count: 8) + [1, 65], .badValue),
            // An offer of nothing, and one without a name.
            ([16] + batchBytes + [UInt8](repeating: 0, count: 12) + [1, 65], .badValue),
            ([16] + batchBytes + [1] + [UInt8](repeating: 0, count: 11) + [0], .badName),
            // A folder with a size, and a kind that is neither.
            ([17] + batchBytes + [0, 0, 0, 0, 1, 1] + [UInt8](repeating: 0, count: 15) + [1, 1, 65], .badValue),
            ([17] + batchBytes + [0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 16) + [1, 1, 65], .badValue),
        ] as [([UInt8], TransferWireError)])
    func hostile(bytes: [UInt8], error: TransferWireError) {
        #expect(throws: error) { try FileMessage(parsing: bytes.span.bytes) }
    }

    private static func entry(_ names: [[UInt8]], count: Int? = nil) -> [UInt8] {
        var bytes: [UInt8] = [17] + batchBytes + [UInt8](repeating: 0, count: 21)
        bytes.append(UInt8(count ?? names.count))
        for name in names { bytes += [UInt8(name.count)] + name }
        return bytes
    }

    @Test(
        "Names that lead elsewhere or are none are refused",
        arguments: [
            [], [""], ["."], [".."], ["a", "..", "b"], ["/"], ["a/b"], ["/etc", "passwd"], ["a\0b"], ["a", ""],
            [String](repeating: "a", count: 33), [String](repeating: String(repeating: "a", count: 129), count: 8),
        ])
    func names(path: [String]) {
        let bytes = Self.entry(path.map { Array($0.utf8) })
        #expect(!FileEntry.isValid(path))
        #expect(throws: TransferWireError.badName) { try FileMessage(parsing: bytes.span.bytes) }
    }

    @Test(
        "Names that are no UTF-8 are refused",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0x61, 0xE2, 0x82], [0xC0, 0xAE, 0xC0, 0xAE]] as [[UInt8]]
    )
    func encodings(name: [UInt8]) {
        let bytes = Self.entry([name])
        #expect(throws: TransferWireError.badName) { try FileMessage(parsing: bytes.span.bytes) }
    }

    @Test("A path says how many names it has, and has no more and no fewer")
    func counts() {
        let more = Self.entry([[65], [66]], count: 1)
        #expect(throws: TransferWireError.trailingBytes) { try FileMessage(parsing: more.span.bytes) }
        let fewer = Self.entry([[65]], count: 2)
        #expect(throws: TransferWireError.truncated) { try FileMessage(parsing: fewer.span.bytes) }
    }

    @Test("The largest message has 15 KiB of a file, and is no larger than the clipboard's")
    func largest() throws {
        let content = (0..<FileMessage.mostData).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let bytes = FileMessage.data(Self.batch, content).serialised()
        #expect(bytes.count <= TransferMessage.maximumSize)
        #expect(try FileMessage(parsing: bytes.span.bytes) == .data(Self.batch, content))
        let longer = bytes + [0]
        #expect(throws: TransferWireError.tooLarge) { try FileMessage(parsing: longer.span.bytes) }
    }
}
