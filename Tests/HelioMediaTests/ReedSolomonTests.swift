import HelioCore
import HelioMedia
import Testing

struct ReedSolomonTests {
    /// The product by definition: carry-less multiplication, reduced by the polynomial.
    private static func slowProduct(_ first: UInt8, _ second: UInt8) -> UInt8 {
        var sum = 0
        for bit in 0..<8 where second >> bit & 1 == 1 { sum ^= Int(first) << bit }
        for bit in stride(from: 14, through: 8, by: -1) where sum >> bit & 1 == 1 { sum ^= 0x11D << (bit - 8) }
        return UInt8(sum)
    }

    @Test func productsAreThoseOfTheField() {
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                guard GaloisField.product(first, second) == Self.slowProduct(first, second) else {
                    Issue.record("\(first) times \(second)")
                    return
                }
            }
        }
        for value in UInt8(1) ... .max { #expect(GaloisField.product(value, GaloisField.inverse(value)) == 1) }
        // The product of 2 and 0x80 is the polynomial without its highest bit; 0x8E is the inverse of 2.
        #expect(GaloisField.product(2, 0x80) == 0x1D)
        #expect(GaloisField.inverse(2) == 0x8E)
    }

    /// The coefficients are part of the format: other implementations must compute the same ones.
    @Test(arguments: [(0, 0, 0xFD), (1, 2, 0x7F)] as [(Int, Int, UInt8)])
    func coefficientsStay(parity: Int, source: Int, value: UInt8) {
        #expect(ReedSolomon.coefficient(parity: parity, source: source) == value)
    }

    private static func parity(_ index: Int, of sources: [[UInt8]]) -> [UInt8] {
        var sum = [UInt8](repeating: 0, count: sources[0].count)
        for (place, source) in sources.enumerated() { add(source, index, place, to: &sum) }
        return sum
    }

    private static func add(_ source: [UInt8], _ parity: Int, _ place: Int, to sum: inout [UInt8]) {
        let factor = ReedSolomon.coefficient(parity: parity, source: place)
        GaloisField.add(source.span.bytes, times: factor, to: &sum, at: 0)
    }

    /// Restores the lost sources from the others and an equal number of parities.
    private static func restore(
        _ sources: [[UInt8]], lost: [Int], _ parities: [[UInt8]], used: [Int]
    ) -> [[UInt8]] {
        var sums = used.map { parities[$0] }
        for place in sources.indices where !lost.contains(place) {
            for (index, parity) in used.enumerated() { add(sources[place], parity, place, to: &sums[index]) }
        }
        return ReedSolomon.inverse(parities: used, lost: lost).map { row in
            var symbol = [UInt8](repeating: 0, count: sources[0].count)
            for (factor, sum) in zip(row, sums) {
                GaloisField.add(sum.span.bytes, times: factor, to: &symbol, at: 0)
            }
            return symbol
        }
    }

    @Test("any k of k + m packets restore the block", arguments: 1...5, 1...4)
    func everyPattern(sourceCount: Int, parityCount: Int) {
        var random = SeededGenerator(seed: UInt64(sourceCount * 10 + parityCount))
        let sources = (0..<sourceCount).map { _ in
            (0..<9).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        }
        let parities = (0..<parityCount).map { Self.parity($0, of: sources) }
        for pattern in 0..<1 << (sourceCount + parityCount) {
            let lost = (0..<sourceCount).filter { pattern >> $0 & 1 == 1 }
            let came = (0..<parityCount).filter { pattern >> (sourceCount + $0) & 1 == 0 }
            guard !lost.isEmpty, lost.count <= came.count else { continue }
            let restored = Self.restore(sources, lost: lost, parities, used: Array(came.suffix(lost.count)))
            #expect(restored == lost.map { sources[$0] }, "lost \(lost), parities \(came)")
        }
    }

    @Test func theLargestBlockIsRestored() {
        var random = SeededGenerator(seed: 1)
        let sources = (0..<ReedSolomon.mostSources).map { _ in
            (0..<4).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        }
        let parities = (0..<ReedSolomon.mostParities).map { Self.parity($0, of: sources) }
        let all = Array(sources.indices)
        #expect(Self.restore(sources, lost: all, parities, used: all) == sources)
    }
}
