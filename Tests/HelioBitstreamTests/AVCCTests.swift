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
}
