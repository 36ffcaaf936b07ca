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
}
