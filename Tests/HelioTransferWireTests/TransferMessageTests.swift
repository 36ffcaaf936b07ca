import HelioCore
import HelioTransferWire
import Testing

struct TransferMessageTests {
    private static let id = TransferID(0x0102_0304)
    private static let idBytes: [UInt8] = [4, 3, 2, 1]

    struct Vector: Sendable, CustomTestStringConvertible {
        var message: TransferMessage
        var bytes: [UInt8]
        init(_ message: TransferMessage, _ bytes: [UInt8]) {
            self.message = message
            self.bytes = bytes
        }
        var testDescription: String { "kind \(bytes[0]), \(bytes.count) bytes" }
    }

    private static let vectors = [
        Vector(.terms(.init(maySend: true, mayReceive: false, mostBytes: 0x0100_0000)), [1, 1, 0, 0, 0, 1]),
        Vector(.terms(.init(maySend: false, mayReceive: true, mostBytes: .max)), [1, 2, 0xFF, 0xFF, 0xFF, 0xFF]),
        Vector(.offer(.init(serial: 7, entries: [])), [2, 7, 0, 0, 0, 0]),
        Vector(
            .offer(
                .init(serial: .max, entries: [.init(.png, size: 513), .init(.text), .init(.html, size: 0)])),
            [2, 0xFF, 0xFF, 0xFF, 0xFF, 3, 3, 1, 2, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0]),
        Vector(.request(id, serial: 9, .html), [3] + idBytes + [9, 0, 0, 0, 2]),
        Vector(.data(id, isLast: false, [0xAB, 0]), [4] + idBytes + [0, 0xAB, 0]),
        Vector(.data(id, isLast: true, []), [4] + idBytes + [1]),
        Vector(.credit(id, total: 65536), [5] + idBytes + [0, 0, 1, 0]),
        Vector(.refuse(id, .failed), [6] + idBytes + [5]),
        Vector(.cancel(id), [7] + idBytes),
        Vector(.leaving, [8]),
        Vector(.kept, [9]),
    ]

    @Test(arguments: vectors)
    func messages(vector: Vector) throws {
        #expect(vector.message.serialised() == vector.bytes)
        #expect(vector.message.size == vector.bytes.count)
        #expect(try TransferMessage(parsing: vector.bytes.span.bytes) == vector.message)
    }

    @Test(arguments: vectors)
    func everyTruncationIsRefused(vector: Vector) {
        for count in 0..<vector.bytes.count {
            let cut = Array(vector.bytes.prefix(count))
            // A piece of content that is shorter is another piece: it ends where its message does.
            if case .data(_, let isLast, _) = vector.message, count > 5, isLast || count > 6 { continue }
            let error: TransferWireError = count == 6 && vector.bytes[0] == 4 ? .badValue : .truncated
            #expect(throws: error) { try TransferMessage(parsing: cut.span.bytes) }
        }
    }

    @Test(arguments: vectors)
    func moreThanTheMessageIsRefused(vector: Vector) {
        if case .data = vector.message { return }
        let longer = vector.bytes + [0]
        #expect(throws: TransferWireError.trailingBytes) { try TransferMessage(parsing: longer.span.bytes) }
    }

    @Test(
        arguments: [
            ([], .truncated), ([0], .unknownKind), ([10], .unknownKind), ([8, 0], .trailingBytes),
            ([16, 0, 0, 0, 0], .unknownKind),
            ([255], .unknownKind),
            // Flags and formats that do not exist.
            ([1, 4, 0, 0, 0, 0], .badValue), ([3, 0, 0, 0, 0, 0, 0, 0, 0, 0], .badValue),
            ([3, 0, 0, 0, 0, 0, 0, 0, 0, 4], .badValue), ([4, 0, 0, 0, 0, 2, 1], .badValue),
            // A piece of nothing that is not the last.
            ([4, 0, 0, 0, 0, 0], .badValue),
            // Reasons.
            ([6, 0, 0, 0, 0, 0], .badValue), ([6, 0, 0, 0, 0, 6], .badValue),
            // Counts: more than there may be, more than there are; the same format twice.
            ([2, 0, 0, 0, 0, 9], .badValue), ([2, 0, 0, 0, 0, 255], .badValue), ([2, 0, 0, 0, 0, 1], .truncated),
            ([2, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0], .badValue),
            ([2, 0, 0, 0, 0, 0, 1], .trailingBytes),
        ] as [([UInt8], TransferWireError)])
    func hostileBytesAreRefused(bytes: [UInt8], error: TransferWireError) {
        #expect(throws: error) { try TransferMessage(parsing: bytes.span.bytes) }
    }

    @Test func theLargestMessageHas16KiBOfContent() throws {
        let content = (0..<TransferMessage.mostData).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let message = TransferMessage.data(Self.id, isLast: false, content)
        let bytes = message.serialised()
        #expect(bytes.count == TransferMessage.maximumSize)
        #expect(try TransferMessage(parsing: bytes.span.bytes) == message)
        let longer = bytes + [0]
        #expect(throws: TransferWireError.tooLarge) { try TransferMessage(parsing: longer.span.bytes) }
    }

    /// What a newer peer has more is left out, not taken for an error.
    @Test func unknownFormatsOfAnOfferAreSkipped() throws {
        let bytes: [UInt8] = [2, 1, 0, 0, 0, 3, 200, 0, 0, 0, 0, 1, 5, 0, 0, 0, 200, 0, 0, 0, 0]
        #expect(
            try TransferMessage(parsing: bytes.span.bytes) == .offer(.init(serial: 1, entries: [.init(.text, size: 5)]))
        )
    }

    /// 0xFFFFFFFF means that the size is not known: one that is as large or larger is the largest that can be told.
    @Test func sizesBeyondTheFieldAreNotTakenForUnknown() throws {
        let bytes = TransferMessage.offer(.init(serial: 1, entries: [.init(.text, size: 1 << 40)])).serialised()
        #expect(
            try TransferMessage(parsing: bytes.span.bytes)
                == .offer(.init(serial: 1, entries: [.init(.text, size: Int(UInt32.max) - 1)])))
    }
}
