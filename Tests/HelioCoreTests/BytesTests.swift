import HelioCore
import Testing

@Suite struct BytesTests {
    static let bytes: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]

    @Test func readsBigEndian() {
        let span = Self.bytes.span.bytes
        let values = (span.uint8(at: 7), span.uint16(at: 6), span.uint24(at: 5), span.uint32(at: 4), span.uint64(at: 0))
        #expect(values.0 == 0xEF)
        #expect(values.1 == 0xCDEF)
        #expect(values.2 == 0xABCDEF)
        #expect(values.3 == 0x89AB_CDEF)
        #expect(values.4 == 0x0123_4567_89AB_CDEF)
    }

    @Test(arguments: [-1, 8, 9, Int.max, Int.min])
    func readsNothingOutside(offset: Int) {
        let span = Self.bytes.span.bytes
        let reads: [Bool] = [
            span.uint8(at: offset) == nil, span.uint16(at: offset) == nil, span.uint24(at: offset) == nil,
            span.uint32(at: offset) == nil, span.uint64(at: offset) == nil, span.bytes(at: offset, count: 1) == nil,
        ]
        #expect(reads.allSatisfy { $0 })
    }

    @Test(arguments: [(0, 9), (1, 8), (8, 1), (0, -1), (0, Int.max), (8, Int.max)])
    func copiesNothingThatIsNotThere(offset: Int, count: Int) {
        let copy = Self.bytes.span.bytes.bytes(at: offset, count: count)
        #expect(copy == nil)
    }

    @Test func writesLittleEndian() {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt16(0x0123))
        bytes.append(littleEndian: UInt32(0x4567_89AB))
        bytes.append(littleEndian: UInt64(0xCDEF_0000_0000_0002))
        #expect(bytes == [0x23, 1, 0xAB, 0x89, 0x67, 0x45, 2, 0, 0, 0, 0, 0, 0xEF, 0xCD])
    }

    @Test func writesWhatItReads() {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt16(0x0123))
        bytes.append(bigEndian: UInt32(0x4567_89AB))
        bytes.append(bigEndian: UInt64(0xCDEF_0000_0000_0001))
        #expect(bytes == [1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0, 0, 0, 0, 0, 1])
        bytes.set(bigEndian: UInt32(0xFFEE_DDCC), at: 1)
        #expect(Array(bytes[0..<6]) == [1, 0xFF, 0xEE, 0xDD, 0xCC, 0xAB])
    }

    private enum MessageError: FieldError { case truncated, badValue }

    @Test("little-endian fields follow each other, and the message ends after the last one")
    func readsFields() throws {
        var bytes: [UInt8] = [7, 1]
        bytes.append(littleEndian: UInt16(0x0123))
        bytes.append(littleEndian: UInt32(0x4567_89AB))
        bytes.append(littleEndian: UInt64(0xCDEF_0000_0000_0002))
        bytes += [1, 2, 3]
        let span = bytes.span.bytes
        var offset = FieldOffset<MessageError>()
        let numbers = (try span.take8(&offset), try span.takeFlag(&offset), try span.take16(&offset))
        let long = (try span.take32(&offset), try span.take64(&offset))
        let rest = (try span.take(1, &offset), try span.takeRest(&offset), try span.takeRest(&offset))
        #expect(numbers == (7, true, 0x0123))
        #expect(long == (0x4567_89AB, 0xCDEF_0000_0000_0002))
        #expect(rest == ([1], [2, 3], []))
        #expect(offset.value == bytes.count)
        for field in 0..<4 {
            #expect(throws: MessageError.truncated) { try Self.take(field, of: bytes.span.bytes, at: &offset) }
        }
        #expect(offset.value == bytes.count)
    }

    private static func take(
        _ field: Int, of bytes: RawSpan, at offset: inout FieldOffset<MessageError>
    ) throws(MessageError) {
        switch field {
        case 0: _ = try bytes.take8(&offset)
        case 1: _ = try bytes.take16(&offset)
        case 2: _ = try bytes.take32(&offset)
        default: _ = try bytes.take64(&offset)
        }
    }

    @Test("a flag is 0 or 1, and bytes that are not all there are not read in part")
    func refusesFields() {
        let bytes: [UInt8] = [2, 0, 0]
        var offset = FieldOffset<MessageError>()
        #expect(throws: MessageError.badValue) { try bytes.span.bytes.takeFlag(&offset) }
        #expect(throws: MessageError.truncated) { try bytes.span.bytes.take(3, &offset) }
        #expect(throws: MessageError.truncated) { try bytes.span.bytes.take(-1, &offset) }
        #expect(offset.value == 1)
    }
}
