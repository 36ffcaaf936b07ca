import HelioCore
import HelioTransferWire
import Testing

/// Tests of the vectors in `Testing/Vectors/transfer.json`.
struct TransferMessageTests {
    private static let id = TransferID(0x0102_0304)
    private static let golden = try? TransferVectors.load().clipboard
    private static let vectors = (golden?.messages ?? []) + (golden?.native ?? [])

    @Test func vectorsAreThere() throws {
        let golden = try TransferVectors.load().clipboard
        #expect(golden.messages.count >= 11 && golden.native.count == 2 && golden.hostile.count >= 18)
    }

    @Test(arguments: vectors)
    func messages(vector: TransferVectors.Vector) throws {
        let message = try vector.message.ofClipboard()
        #expect(message.serialised() == vector.bytes)
        #expect(message.size == vector.bytes.count)
        #expect(try TransferMessage(parsing: vector.bytes.span.bytes) == message)
    }

    @Test(arguments: vectors)
    func everyTruncationIsRefused(vector: TransferVectors.Vector) throws {
        let message = try vector.message.ofClipboard()
        for count in 0..<vector.bytes.count {
            let cut = Array(vector.bytes.prefix(count))
            // A shorter data message is valid: its content ends where the message does.
            if case .data(_, let isLast, _) = message, count > 5, isLast || count > 6 { continue }
            let error: TransferWireError = count == 6 && vector.bytes[0] == 4 ? .badValue : .truncated
            #expect(throws: error) { try TransferMessage(parsing: cut.span.bytes) }
        }
    }

    @Test(arguments: vectors)
    func moreThanTheMessageIsRefused(vector: TransferVectors.Vector) throws {
        if case .data = try vector.message.ofClipboard() { return }
        let longer = vector.bytes + [0]
        #expect(throws: TransferWireError.trailingBytes) { try TransferMessage(parsing: longer.span.bytes) }
    }

    @Test(arguments: golden?.hostile ?? [])
    func hostileBytesAreRefused(hostile: TransferVectors.Hostile) throws {
        let error = try #require(TransferWireError(rawValue: hostile.error))
        #expect(throws: error) { try TransferMessage(parsing: hostile.bytes.span.bytes) }
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

    /// Formats added by newer peers are skipped, and are no error.
    @Test func unknownFormatsOfAnOfferAreSkipped() throws {
        let bytes: [UInt8] = [2, 1, 0, 0, 0, 3, 200, 0, 0, 0, 0, 1, 5, 0, 0, 0, 200, 0, 0, 0, 0]
        #expect(
            try TransferMessage(parsing: bytes.span.bytes) == .offer(.init(serial: 1, entries: [.init(.text, size: 5)]))
        )
    }

    /// 0xFFFFFFFF means an unknown size; sizes of that or more are sent as the largest representable one.
    @Test func sizesBeyondTheFieldAreNotTakenForUnknown() throws {
        let bytes = TransferMessage.offer(.init(serial: 1, entries: [.init(.text, size: 1 << 40)])).serialised()
        #expect(
            try TransferMessage(parsing: bytes.span.bytes)
                == .offer(.init(serial: 1, entries: [.init(.text, size: Int(UInt32.max) - 1)])))
    }
}
