import HelioAppleMedia
import HelioCore
import Testing

@Suite("A coded sample")
struct CodedSampleTests {
    private func sample(_ bytes: [UInt8], lengthSize: Int, pieces: Int) -> CodedSample {
        var sample = CodedSample(lengthSize: lengthSize, byteCount: bytes.count)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            sample.add(Array(bytes[start..<min(bytes.count, start + pieces)]).span.bytes)
        }
        return sample
    }

    @Test("becomes Annex-B whatever its lengths and pieces", arguments: 1...4, 1...9)
    func conversion(lengthSize: Int, pieces: Int) {
        let zeros = [UInt8](repeating: 0, count: lengthSize - 1)
        let whole = sample(
            zeros + [3, 0x65, 1, 2] + zeros + [1, 0x41], lengthSize: lengthSize, pieces: pieces)
        #expect(whole.isWhole)
        #expect(whole.annexB == [0, 0, 0, 1, 0x65, 1, 2, 0, 0, 0, 1, 0x41])
    }

    @Test(
        "that is cut off or senseless is not whole",
        arguments: [
            ([], 4), ([0, 0, 0], 4), ([0, 0, 0, 5, 0x65], 4), ([0, 0, 0, 0, 1], 4), ([255, 255, 255, 255, 1, 2], 4),
            ([1, 0x65, 0], 2), ([1, 0x65], 0), ([1, 0x65], 5), ([1, 0x65, 4], 1),
        ] as [([UInt8], Int)])
    func broken(bytes: [UInt8], lengthSize: Int) {
        for pieces in 1...4 { #expect(!sample(bytes, lengthSize: lengthSize, pieces: pieces).isWhole) }
    }

    @Test("with a parameter set that is empty or can't be had is not whole")
    func parameterSets() {
        var empty = sample([1, 0x65], lengthSize: 1, pieces: 2)
        #expect(empty.isWhole)
        empty.addParameterSet([UInt8]().span.bytes)
        #expect(!empty.isWhole)
        var failed = sample([1, 0x65], lengthSize: 1, pieces: 2)
        failed.fail()
        #expect(!failed.isWhole)
    }
}
