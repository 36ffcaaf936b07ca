import Testing

@testable import HelioPatch

@Suite struct CAVLCTablesTests {
    /// Checks that no code is a prefix of another.
    private func check(_ codes: [CAVLCTables.Code], _ name: String) {
        let used = codes.filter { $0.length > 0 }
        let words = used.map { code in
            let bits = String(Int(code.bits), radix: 2)
            return String(repeating: "0", count: Int(code.length) - bits.count) + bits
        }
        for (i, a) in words.enumerated() {
            for b in words[(i + 1)...] { #expect(!a.hasPrefix(b) && !b.hasPrefix(a), "\(name): \(a) and \(b)") }
        }
    }

    @Test func codesAreUnambiguous() {
        let t = CAVLCTables()
        for table in 0..<4 { check((0..<68).map { t.coefficientToken[table * 68 + $0] }, "coeff_token \(table)") }
        check((0..<20).map { t.chromaToken[$0] }, "chroma coeff_token")
        for total in 1...15 { check((0..<16).map { t.totalZeros[total * 16 + $0] }, "total_zeros \(total)") }
        for total in 1...3 { check((0..<4).map { t.chromaTotalZeros[total * 4 + $0] }, "chroma total_zeros \(total)") }
        for left in 1...7 { check((0..<16).map { t.runBefore[left * 16 + $0] }, "run_before \(left)") }
        #expect(Set((0..<48).map { t.pattern420[$0] }).count == 48)
        #expect(Set((0..<16).map { t.pattern444[$0] }).count == 16)
        #expect(Set((0..<48).map { t.intraPattern420[$0] }).count == 48)
        #expect(Set((0..<16).map { t.intraPattern444[$0] }).count == 16)
    }
}
