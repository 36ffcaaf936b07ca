/// The codes of CAVLC (ITU-T H.264 section 9.2, tables 9-4, 9-5, 9-7, 9-8, 9-9 and 9-10), in flat arrays for speed.
///
/// Each coder owns an instance, as static tables would check for lazy initialisation at each access.
final class CAVLCTables {
    struct Code {
        var length: UInt8
        var bits: UInt8
    }

    /// The `coeff_token` codes, indexed as `[table * 68 + total * 4 + trailing ones]`. The four tables are for nC
    /// 0...1, 2...3, 4...7, and 8 and more.
    let coefficientToken: UnsafeMutablePointer<Code>
    /// The `coeff_token` codes for the DC of 4:2:0 chroma, indexed as `[total * 4 + trailing ones]`.
    let chromaToken: UnsafeMutablePointer<Code>
    /// The `total_zeros` codes, indexed as `[total * 16 + zeros]`.
    let totalZeros: UnsafeMutablePointer<Code>
    /// The `total_zeros` codes for the DC of 4:2:0 chroma, indexed as `[total * 4 + zeros]`.
    let chromaTotalZeros: UnsafeMutablePointer<Code>
    /// The `run_before` codes, indexed as `[min(zeros left, 7) * 16 + run]`.
    let runBefore: UnsafeMutablePointer<Code>
    /// The code number of each `coded_block_pattern`, for inter macroblocks of 4:2:0.
    let pattern420: UnsafeMutablePointer<UInt8>
    /// The code number of each `coded_block_pattern`, for inter macroblocks of 4:4:4.
    let pattern444: UnsafeMutablePointer<UInt8>
    /// The code number of each `coded_block_pattern`, for Intra_4x4 macroblocks of 4:2:0.
    let intraPattern420: UnsafeMutablePointer<UInt8>
    /// The code number of each `coded_block_pattern`, for Intra_4x4 macroblocks of 4:4:4.
    let intraPattern444: UnsafeMutablePointer<UInt8>

    init() {
        func table(_ count: Int) -> UnsafeMutablePointer<Code> {
            let p = UnsafeMutablePointer<Code>.allocate(capacity: count)
            p.initialize(repeating: Code(length: 0, bits: 0), count: count)
            return p
        }
        coefficientToken = table(4 * 68)
        chromaToken = table(5 * 4)
        totalZeros = table(16 * 16)
        chromaTotalZeros = table(4 * 4)
        runBefore = table(8 * 16)
        pattern420 = .allocate(capacity: 48)
        pattern444 = .allocate(capacity: 16)
        intraPattern420 = .allocate(capacity: 48)
        intraPattern444 = .allocate(capacity: 16)

        for t in 0..<3 {
            for i in 0..<68 {
                coefficientToken[t * 68 + i] = Code(length: Self.tokenLengths[t][i], bits: Self.tokenBits[t][i])
            }
        }
        for total in 0...16 {
            for ones in 0...min(3, total) {
                let bits = total == 0 ? 3 : UInt8((total - 1) * 4 + ones)
                coefficientToken[3 * 68 + total * 4 + ones] = Code(length: 6, bits: bits)
            }
        }
        for i in 0..<20 { chromaToken[i] = Code(length: Self.chromaTokenLengths[i], bits: Self.chromaTokenBits[i]) }
        for (total, (lengths, bits)) in zip(Self.zeroLengths, Self.zeroBits).enumerated() {
            for (zeros, code) in zip(lengths, bits).enumerated() {
                totalZeros[(total + 1) * 16 + zeros] = Code(length: code.0, bits: code.1)
            }
        }
        let chromaZeros: [[(UInt8, UInt8)]] = [
            [(1, 1), (2, 1), (3, 1), (3, 0)], [(1, 1), (2, 1), (2, 0)], [(1, 1), (1, 0)],
        ]
        for (total, codes) in chromaZeros.enumerated() {
            for (zeros, code) in codes.enumerated() {
                chromaTotalZeros[(total + 1) * 4 + zeros] = Code(length: code.0, bits: code.1)
            }
        }
        for (left, (lengths, bits)) in zip(Self.runLengths, Self.runBits).enumerated() {
            for (run, code) in zip(lengths, bits).enumerated() {
                runBefore[(left + 1) * 16 + run] = Code(length: code.0, bits: code.1)
            }
        }
        for (number, pattern) in Self.patterns420.enumerated() { pattern420[pattern] = UInt8(number) }
        for (number, pattern) in Self.patterns444.enumerated() { pattern444[pattern] = UInt8(number) }
        for (number, pattern) in Self.intraPatterns420.enumerated() { intraPattern420[pattern] = UInt8(number) }
        for (number, pattern) in Self.intraPatterns444.enumerated() { intraPattern444[pattern] = UInt8(number) }
    }

    deinit {
        for p in [coefficientToken, chromaToken, totalZeros, chromaTotalZeros, runBefore] { p.deallocate() }
        for p in [pattern420, pattern444, intraPattern420, intraPattern444] { p.deallocate() }
    }

    private static let tokenLengths: [[UInt8]] = [
        [
            1, 0, 0, 0, 6, 2, 0, 0, 8, 6, 3, 0, 9, 8, 7, 5, 10, 9, 8, 6, 11, 10, 9, 7, 13, 11, 10, 8, 13, 13, 11, 9, 13,
            13, 13, 10, 14, 14, 13, 11, 14, 14, 14, 13, 15, 15, 14, 14, 15, 15, 15, 14, 16, 15, 15, 15, 16, 16, 16, 15,
            16, 16, 16, 16, 16, 16, 16, 16,
        ],
        [
            2, 0, 0, 0, 6, 2, 0, 0, 6, 5, 3, 0, 7, 6, 6, 4, 8, 6, 6, 4, 8, 7, 7, 5, 9, 8, 8, 6, 11, 9, 9, 6, 11, 11, 11,
            7, 12, 11, 11, 9, 12, 12, 12, 11, 12, 12, 12, 11, 13, 13, 13, 12, 13, 13, 13, 13, 13, 14, 13, 13, 14, 14,
            14,
            13, 14, 14, 14, 14,
        ],
        [
            4, 0, 0, 0, 6, 4, 0, 0, 6, 5, 4, 0, 6, 5, 5, 4, 7, 5, 5, 4, 7, 5, 5, 4, 7, 6, 6, 4, 7, 6, 6, 4, 8, 7, 7, 5,
            8,
            8, 7, 6, 9, 8, 8, 7, 9, 9, 8, 8, 9, 9, 9, 8, 10, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
        ],
    ]
    private static let tokenBits: [[UInt8]] = [
        [
            1, 0, 0, 0, 5, 1, 0, 0, 7, 4, 1, 0, 7, 6, 5, 3, 7, 6, 5, 3, 7, 6, 5, 4, 15, 6, 5, 4, 11, 14, 5, 4, 8, 10,
            13,
            4, 15, 14, 9, 4, 11, 10, 13, 12, 15, 14, 9, 12, 11, 10, 13, 8, 15, 1, 9, 12, 11, 14, 13, 8, 7, 10, 9, 12, 4,
            6, 5, 8,
        ],
        [
            3, 0, 0, 0, 11, 2, 0, 0, 7, 7, 3, 0, 7, 10, 9, 5, 7, 6, 5, 4, 4, 6, 5, 6, 7, 6, 5, 8, 15, 6, 5, 4, 11, 14,
            13,
            4, 15, 10, 9, 4, 11, 14, 13, 12, 8, 10, 9, 8, 15, 14, 13, 12, 11, 10, 9, 12, 7, 11, 6, 8, 9, 8, 10, 1, 7, 6,
            5,
            4,
        ],
        [
            15, 0, 0, 0, 15, 14, 0, 0, 11, 15, 13, 0, 8, 12, 14, 12, 15, 10, 11, 11, 11, 8, 9, 10, 9, 14, 13, 9, 8, 10,
            9,
            8, 15, 14, 13, 13, 11, 14, 10, 12, 15, 10, 13, 12, 11, 14, 9, 12, 8, 10, 13, 8, 13, 7, 9, 12, 9, 12, 11, 10,
            5,
            8, 7, 6, 1, 4, 3, 2,
        ],
    ]
    private static let chromaTokenLengths: [UInt8] = [2, 0, 0, 0, 6, 1, 0, 0, 6, 6, 3, 0, 6, 7, 7, 6, 6, 8, 8, 7]
    private static let chromaTokenBits: [UInt8] = [1, 0, 0, 0, 7, 1, 0, 0, 4, 6, 1, 0, 3, 3, 2, 5, 2, 3, 2, 0]
    private static let zeroLengths: [[UInt8]] = [
        [1, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 9], [3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 6, 6, 6],
        [4, 3, 3, 3, 4, 4, 3, 3, 4, 5, 5, 6, 5, 6], [5, 3, 4, 4, 3, 3, 3, 4, 3, 4, 5, 5, 5],
        [4, 4, 4, 3, 3, 3, 3, 3, 4, 5, 4, 5], [6, 5, 3, 3, 3, 3, 3, 3, 4, 3, 6], [6, 5, 3, 3, 3, 2, 3, 4, 3, 6],
        [6, 4, 5, 3, 2, 2, 3, 3, 6], [6, 6, 4, 2, 2, 3, 2, 5], [5, 5, 3, 2, 2, 2, 4], [4, 4, 3, 3, 1, 3],
        [4, 4, 2, 1, 3],
        [3, 3, 1, 2], [2, 2, 1], [1, 1],
    ]
    private static let zeroBits: [[UInt8]] = [
        [1, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 1], [7, 6, 5, 4, 3, 5, 4, 3, 2, 3, 2, 3, 2, 1, 0],
        [5, 7, 6, 5, 4, 3, 4, 3, 2, 3, 2, 1, 1, 0], [3, 7, 5, 4, 6, 5, 4, 3, 3, 2, 2, 1, 0],
        [5, 4, 3, 7, 6, 5, 4, 3, 2, 1, 1, 0], [1, 1, 7, 6, 5, 4, 3, 2, 1, 1, 0], [1, 1, 5, 4, 3, 3, 2, 1, 1, 0],
        [1, 1, 1, 3, 3, 2, 2, 1, 0], [1, 0, 1, 3, 2, 1, 1, 1], [1, 0, 1, 3, 2, 1, 1], [0, 1, 1, 2, 1, 3],
        [0, 1, 1, 1, 1],
        [0, 1, 1, 1], [0, 1, 1], [0, 1],
    ]
    private static let runLengths: [[UInt8]] = [
        [1, 1], [1, 2, 2], [2, 2, 2, 2], [2, 2, 2, 3, 3], [2, 2, 3, 3, 3, 3], [2, 3, 3, 3, 3, 3, 3],
        [3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    ]
    private static let runBits: [[UInt8]] = [
        [1, 0], [1, 1, 0], [3, 2, 1, 0], [3, 2, 1, 1, 0], [3, 2, 3, 2, 1, 0], [3, 0, 1, 3, 2, 5, 4],
        [7, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    ]
    private static let patterns420 = [
        0, 16, 1, 2, 4, 8, 32, 3, 5, 10, 12, 15, 47, 7, 11, 13, 14, 6, 9, 31, 35, 37, 42, 44, 33, 34, 36, 40, 39, 43,
        45,
        46, 17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41,
    ]
    private static let patterns444 = [0, 1, 2, 4, 8, 3, 5, 10, 12, 15, 7, 11, 13, 14, 6, 9]
    private static let intraPatterns420 = [
        47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26, 28, 35, 37, 42, 44,
        1, 2, 4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41,
    ]
    private static let intraPatterns444 = [15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9]
}
