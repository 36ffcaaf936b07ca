import HelioBitstream
import HelioCore
import Testing

struct AVCCTests {
    @Test func writesLengthsOfFourBytes() {
        let annexB = hex("00000001 67 42 C0 00000001 68 CE 00000001 65")
        let sample = hex("00000003 67 42 C0 00000002 68 CE 00000001 65")
        #expect(AVCC.sample(fromAnnexB: annexB.span.bytes) == sample)
        #expect(AVCC.annexB(from: sample.span.bytes) == annexB)
    }

    @Test func threeByteStartCodesBecomeFour() {
        let sample = AVCC.sample(fromAnnexB: hex("000001 67 42 000001 68").span.bytes)
        #expect(AVCC.annexB(from: sample.span.bytes) == hex("00000001 67 42 00000001 68"))
    }

    /// Rows 43 and 144: any number of NAL units.
    @Test(arguments: [0, 1, 2, 3, 7, 64, 500])
    func roundTripIsExact(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var annexB: [UInt8] = []
        for _ in 0..<count {
            annexB += AnnexB.startCode
            annexB += (0..<Int.random(in: 1..<400, using: &random)).map { _ in .random(in: 1...255, using: &random) }
        }
        let sample = AVCC.sample(fromAnnexB: annexB.span.bytes)
        #expect(sample.count == annexB.count)
        #expect(AVCC.annexB(from: sample.span.bytes) == annexB)
    }

    @Test(arguments: [
        "00", "000000", "00000000", "00000001", "00000002 65", "FFFFFFFF 65", "00000001 65 00", "7FFFFFFF",
        "00000001 65 00000000 00000001 65",
    ])
    func refusesLengthsThatLie(sample: String) {
        #expect(AVCC.annexB(from: hex(sample).span.bytes) == nil)
    }

    @Test func anEmptySampleHasNoNALUnits() {
        #expect(AVCC.annexB(from: [UInt8]().span.bytes) == [])
    }

    @Test(arguments: [
        (1, "03 67 42 C0 01 65"), (2, "0003 67 42 C0 0001 65"), (4, "00000003 67 42 C0 00000001 65"),
    ])
    func lengthsOfOneTwoAndFourBytes(size: Int, sample: String) {
        let annexB = AVCC.annexB(from: hex(sample).span.bytes, lengthSize: size)
        #expect(annexB == hex("00000001 67 42 C0 00000001 65"))
    }

    @Test(arguments: [(1, "02 65"), (1, "00"), (2, "0002 65"), (2, "00"), (2, "0001 65 0000")])
    func refusesShortLengthsThatLie(size: Int, sample: String) {
        #expect(AVCC.annexB(from: hex(sample).span.bytes, lengthSize: size) == nil)
    }

    @Test func aCursorStopsForGoodAtAWrongLength() {
        let sample = hex("00000001 65 00000009 41 00000001 41")
        var cursor = AVCC.Cursor()
        #expect(cursor.next(in: sample.span.bytes) == 4..<5)
        #expect(!cursor.hasFailed)
        #expect(cursor.next(in: sample.span.bytes) == nil)
        #expect(cursor.hasFailed)
        #expect(cursor.next(in: sample.span.bytes) == nil)
    }

    /// For any input bytes, the size of the output is bounded by that of the input.
    @Test func boundedByItsInput() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let sample = (0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random)
            }
            for size in [1, 2, 4] {
                let made = AVCC.annexB(from: sample.span.bytes, lengthSize: size)
                #expect((made?.count ?? 0) <= sample.count * 3)
            }
        }
    }
}
