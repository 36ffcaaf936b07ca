import HelioCore
import HelioTransferWire
import Testing

/// Tests of the vectors in `Testing/Vectors/transfer.json`.
struct FileMessageTests {
    private static let batch = TransferVectors.Message.batch
    private static let batchBytes: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
    private static let golden = try? TransferVectors.load().files
    private static let vectors = golden?.messages ?? []

    @Test("The vectors are there, and reasons have their names' numbers")
    func vectorsAreThere() throws {
        let golden = try TransferVectors.load().files
        #expect(golden.messages.count >= 15 && golden.hostile.count >= 20)
        #expect(golden.badPaths.count >= 11 && golden.badNames.count >= 5)
        #expect(FileRefusal.allCases.map { "\($0)" } == golden.reasons)
        #expect(FileRefusal.allCases.map(\.rawValue) == Array(1...UInt8(golden.reasons.count)))
    }

    @Test("Messages about files are written as the protocol says, and read back", arguments: vectors)
    func messages(vector: TransferVectors.Vector) throws {
        let message = try vector.message.aboutFiles()
        #expect(message.serialised() == vector.bytes)
        #expect(message.size == vector.bytes.count)
        #expect(message.batch == Self.batch)
        #expect(try FileMessage(parsing: vector.bytes.span.bytes) == message)
        #expect(FileMessage.isAboutFiles(vector.bytes))
        #expect(throws: TransferWireError.unknownKind) { try TransferMessage(parsing: vector.bytes.span.bytes) }
    }

    @Test("A message that was cut off is refused, at every length", arguments: vectors)
    func truncations(vector: TransferVectors.Vector) throws {
        let message = try vector.message.aboutFiles()
        for count in 0..<vector.bytes.count {
            let cut = Array(vector.bytes.prefix(count))
            // A shorter data message is a valid data message.
            if case .data = message, count > 9 { continue }
            let error: TransferWireError = count == 9 && vector.bytes[0] == 19 ? .badValue : .truncated
            #expect(throws: error) { try FileMessage(parsing: cut.span.bytes) }
        }
    }

    @Test("A message with a byte too many is refused", arguments: vectors)
    func trailing(vector: TransferVectors.Vector) throws {
        if case .data = try vector.message.aboutFiles() { return }
        let longer = vector.bytes + [0]
        #expect(throws: TransferWireError.trailingBytes) { try FileMessage(parsing: longer.span.bytes) }
    }

    @Test("Kinds, reasons, flags and sizes that do not exist are refused", arguments: golden?.hostile ?? [])
    func hostile(hostile: TransferVectors.Hostile) throws {
        let error = try #require(TransferWireError(rawValue: hostile.error))
        #expect(throws: error) { try FileMessage(parsing: hostile.bytes.span.bytes) }
    }

    private static func entry(_ names: [[UInt8]], count: Int? = nil) -> [UInt8] {
        var bytes: [UInt8] = [17] + batchBytes + [UInt8](repeating: 0, count: 21)
        bytes.append(UInt8(count ?? names.count))
        for name in names { bytes += [UInt8(name.count)] + name }
        return bytes
    }

    @Test(
        "Names that lead elsewhere or are none are refused",
        arguments: (golden?.badPaths ?? []) + [[String](repeating: String(repeating: "a", count: 129), count: 8)])
    func names(path: [String]) {
        let bytes = Self.entry(path.map { Array($0.utf8) })
        #expect(!FileEntry.isValid(path))
        #expect(throws: TransferWireError.badName) { try FileMessage(parsing: bytes.span.bytes) }
    }

    @Test("Names that are no UTF-8 are refused", arguments: golden?.badNames ?? [])
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
