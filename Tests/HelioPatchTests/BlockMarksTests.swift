import HelioPatch
import Testing

@Suite("Marks of macroblocks")
struct BlockMarksTests {
    @Test("finds each that is 0, wherever it is", arguments: [1, 7, 8, 9, 40])
    func finds(count: Int) {
        for zeros in [[], [0], [count - 1], [0, count / 2, count - 1], Array(0..<count)] {
            var bytes = [UInt8](repeating: 1, count: count)
            for zero in zeros { bytes[zero] = 0 }
            bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                let marks = BlockMarks(base, count: count)
                var found: [Int] = []
                marks.forEachZero { found.append($0) }
                #expect(found == Array(Set(zeros)).sorted())
                for start in 0..<count {
                    for end in start...count {
                        let inside = found.filter { (start..<end).contains($0) }
                        #expect(marks.firstZero(from: start, to: end) == inside.first)
                        #expect(marks.lastZero(in: start..<end) == inside.last)
                    }
                }
            }
        }
    }
}
