/// Reads blocks of levels in CAVLC (ITU-T H.264 section 9.2), by look-up tables that are generated from `CAVLCTables`.
final class CAVLCReader {
    /// The result of a look-up: the code's value, and its length in bits, which is 0 for an invalid code.
    private struct Entry {
        var value: UInt8 = 0
        var length: UInt8 = 0
    }

    /// The `coeff_token` codes of up to 8 bits, indexed as `[table * 256 + first 8 bits]`.
    private let shortTokens: UnsafeMutablePointer<Entry>
    /// The longer `coeff_token` codes, indexed as `[table * 2048 + 16 bits]`; the first 5 of these bits are 0.
    private let longTokens: UnsafeMutablePointer<Entry>
    /// The `coeff_token` codes for the DC of 4:2:0 chroma, indexed by the first 8 bits.
    private let chromaTokens: UnsafeMutablePointer<Entry>
    /// The `total_zeros` codes, indexed as `[total * 512 + 9 bits]`.
    private let totalZeros: UnsafeMutablePointer<Entry>
    /// The `total_zeros` codes for the DC of 4:2:0 chroma, indexed as `[total * 8 + 3 bits]`.
    private let chromaTotalZeros: UnsafeMutablePointer<Entry>
    /// The `run_before` codes of up to 3 bits, indexed as `[min(zeros left, 7) * 8 + 3 bits]`.
    private let runs: UnsafeMutablePointer<Entry>
    /// The `coded_block_pattern` by code number, for inter macroblocks of 4:2:0.
    let patterns420: [UInt8]
    /// The `coded_block_pattern` by code number, for inter macroblocks of 4:4:4.
    let patterns444: [UInt8]

    init() {
        func table(_ count: Int) -> UnsafeMutablePointer<Entry> {
            let p = UnsafeMutablePointer<Entry>.allocate(capacity: count)
            p.initialize(repeating: Entry(), count: count)
            return p
        }
        let codes = CAVLCTables()
        /// Enters a code at all indices of `width` bits that begin with the code.
        func enter(
            _ value: Int, _ code: CAVLCTables.Code, in table: UnsafeMutablePointer<Entry>, width: Int, count: Int
        ) {
            let length = Int(code.length)
            guard length > 0, length <= width else { return }
            let first = Int(code.bits) << (width - length)
            for i in first..<first + 1 << (width - length) where i < count {
                table[i] = Entry(value: UInt8(value), length: code.length)
            }
        }
        shortTokens = table(4 * 256)
        longTokens = table(4 * 2048)
        for nC in 0..<4 {
            for i in 0..<68 {
                let code = codes.coefficientToken[nC * 68 + i]
                enter(i, code, in: shortTokens + nC * 256, width: 8, count: 256)
                if code.length > 8 { enter(i, code, in: longTokens + nC * 2048, width: 16, count: 2048) }
            }
        }
        chromaTokens = table(256)
        for i in 0..<20 { enter(i, codes.chromaToken[i], in: chromaTokens, width: 8, count: 256) }
        totalZeros = table(16 * 512)
        for i in 0..<256 { enter(i & 15, codes.totalZeros[i], in: totalZeros + (i >> 4) * 512, width: 9, count: 512) }
        chromaTotalZeros = table(4 * 8)
        for i in 0..<16 {
            enter(i & 3, codes.chromaTotalZeros[i], in: chromaTotalZeros + (i >> 2) * 8, width: 3, count: 8)
        }
        runs = table(8 * 8)
        for i in 0..<128 { enter(i & 15, codes.runBefore[i], in: runs + (i >> 4) * 8, width: 3, count: 8) }
        func inverted(_ numbers: UnsafeMutablePointer<UInt8>, _ count: Int) -> [UInt8] {
            var patterns = [UInt8](repeating: 0, count: count)
            for pattern in 0..<count { patterns[Int(numbers[pattern])] = UInt8(pattern) }
            return patterns
        }
        patterns420 = inverted(codes.pattern420, 48)
        patterns444 = inverted(codes.pattern444, 16)
    }

    deinit {
        for p in [shortTokens, longTokens, chromaTokens, totalZeros, chromaTotalZeros, runs] { p.deallocate() }
    }

    /// Reads a block's levels into `levels`, whose first `size` values must be zero before.
    ///
    /// - Parameters:
    ///   - nC: the number of nonzero levels predicted from the neighbouring blocks, which selects the code table; -1
    ///     for the DC of 4:2:0 chroma.
    ///   - size: the number of levels in the block: 16, 15 or 4.
    /// - Returns: the number of nonzero levels; `nil` if the block is invalid.
    @inline(__always)
    func read(_ bits: inout PatchBits, nC: Int, size: Int, into levels: UnsafeMutablePointer<Int16>) -> Int? {
        guard let token = token(&bits, nC: nC) else { return nil }
        let (total, ones) = (token >> 2, token & 3)
        if total == 0 { return 0 }
        guard total <= size else { return nil }
        return withUnsafeTemporaryAllocation(of: Int16.self, capacity: 16) { values in
            guard let values = values.baseAddress, readValues(&bits, total, ones, into: values) else { return nil }
            var zerosLeft = 0
            if total < size {
                let entry =
                    nC < 0
                    ? chromaTotalZeros[total &* 8 &+ Int(bits.peek >> 29)]
                    : totalZeros[total &* 512 &+ Int(bits.peek >> 23)]
                guard entry.length > 0 else { return nil }
                bits.skip(Int(entry.length))
                zerosLeft = Int(entry.value)
            }
            var at = total &- 1 &+ zerosLeft
            guard at < size else { return nil }
            for i in 0..<total {
                levels[at] = values[i]
                at &-= 1
                guard zerosLeft > 0, i < total &- 1 else { continue }
                guard let run = run(&bits, zerosLeft) else { return nil }
                zerosLeft &-= run
                at &-= run
            }
            return total
        }
    }

    /// Reads `coeff_token`. Returns four times the number of nonzero levels plus the number of trailing ones; `nil` if
    /// the code is invalid.
    @inline(__always)
    private func token(_ bits: inout PatchBits, nC: Int) -> Int? {
        let next = bits.peek
        var entry: Entry
        if nC < 0 {
            entry = chromaTokens[Int(next >> 24)]
        } else {
            let table = nC < 2 ? 0 : nC < 4 ? 1 : nC < 8 ? 2 : 3
            entry = shortTokens[table &* 256 &+ Int(next >> 24)]
            if entry.length == 0, next >> 16 < 2048 { entry = longTokens[table &* 2048 &+ Int(next >> 16)] }
        }
        guard entry.length > 0 else { return nil }
        bits.skip(Int(entry.length))
        return Int(entry.value)
    }

    /// Reads the nonzero levels, from the last in scan order to the first (section 9.2.2). Returns false if a code is
    /// invalid.
    @inline(__always)
    private func readValues(
        _ bits: inout PatchBits, _ total: Int, _ ones: Int, into values: UnsafeMutablePointer<Int16>
    ) -> Bool {
        for i in 0..<ones { values[i] = bits.bits(1) == 1 ? -1 : 1 }
        var suffix = total > 10 && ones < 3 ? 1 : 0
        var i = ones
        while i < total {
            let prefix = bits.peek.leadingZeroBitCount
            guard prefix <= 15 else { return false }
            bits.skip(prefix &+ 1)
            var code = min(15, prefix) << suffix
            let size = prefix == 14 && suffix == 0 ? 4 : prefix == 15 ? 12 : suffix
            if size > 0 { code &+= bits.bits(size) }
            if prefix == 15, suffix == 0 { code &+= 15 }
            if i == ones, ones < 3 { code &+= 2 }
            let level = code & 1 == 0 ? (code &+ 2) >> 1 : (-code &- 1) >> 1
            values[i] = Int16(truncatingIfNeeded: level)
            if suffix == 0 { suffix = 1 }
            if abs(level) > 3 << (suffix &- 1), suffix < 6 { suffix &+= 1 }
            i &+= 1
        }
        return true
    }

    /// Reads `run_before`: the number of zero levels before a level; `nil` if the code is invalid.
    @inline(__always)
    private func run(_ bits: inout PatchBits, _ zerosLeft: Int) -> Int? {
        let next = bits.peek
        let entry = runs[min(zerosLeft, 7) &* 8 &+ Int(next >> 29)]
        if entry.length > 0 {
            bits.skip(Int(entry.length))
            return Int(entry.value) <= zerosLeft ? Int(entry.value) : nil
        }
        // A run of 7 or more grows by one with each further zero bit (table 9-10).
        let zeros = next.leadingZeroBitCount
        guard zerosLeft > 6, zeros >= 3, zeros <= 10, zeros + 4 <= zerosLeft else { return nil }
        bits.skip(zeros &+ 1)
        return zeros &+ 4
    }
}
