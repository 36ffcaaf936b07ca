/// A systematic Reed-Solomon erasure code for packets, over `GaloisField`: parity symbol j of source symbols s(i) is
/// the sum of c(j, i) s(i), where c is a Cauchy matrix.
///
/// Any k of a block's k + m packets restore the block, which no code of XOR alone can do (a few loss patterns already
/// defeat RFC 8627's rows and columns). That matters for frames: a frame has few packets, all of them are needed, and a
/// block longer than a frame would add delay. The price, a table look-up for each byte and parity, is small at the
/// bitrates of a screen.
///
/// c(j, i) = 1 / (x(j) + y(i)) depends on neither k nor m, and every square submatrix can be inverted, as all x and y
/// differ.
package enum ReedSolomon {
    /// The maximum numbers of source symbols and of parity symbols in a block.
    package static let mostSources = 128
    package static let mostParities = 128

    private static func place(ofParity index: Int) -> UInt8 { UInt8(255 - index) }
    private static func place(ofSource index: Int) -> UInt8 { UInt8(index) }

    /// - Precondition: `parity` is below `mostParities`, and `source` below `mostSources`.
    package static func coefficient(parity: Int, source: Int) -> UInt8 {
        precondition((0..<mostParities).contains(parity) && (0..<mostSources).contains(source), "no such symbol")
        return GaloisField.inverse(place(ofParity: parity) ^ place(ofSource: source))
    }

    /// The inverse of the submatrix with these rows and columns: a row for each lost source, with the factors by which
    /// the parities' sums are multiplied; these products add up to the source.
    ///
    /// - Precondition: there are as many parities as lost sources, each is named once, and each is within the limits of
    ///   `coefficient`.
    package static func inverse(parities: [Int], lost: [Int]) -> [[UInt8]] {
        precondition(parities.count == lost.count, "as many parities as lost sources")
        let rows = parities.map { place(ofParity: $0) }
        let columns = lost.map { place(ofSource: $0) }
        // The inverse of a Cauchy matrix has a closed form, so no elimination is needed.
        let byRow = rows.indices.map { index in quotient(rows[index], columns, over: rows, but: index) }
        let byColumn = columns.indices.map { index in quotient(columns[index], rows, over: columns, but: index) }
        return columns.indices.map { column in
            rows.indices.map { row in
                GaloisField.product(
                    GaloisField.product(byRow[row], byColumn[column]),
                    GaloisField.inverse(rows[row] ^ columns[column]))
            }
        }
    }

    /// The product of the differences between `place` and each of `others`, divided by the product of the differences
    /// between `place` and each other value of `own`.
    private static func quotient(_ place: UInt8, _ others: [UInt8], over own: [UInt8], but index: Int) -> UInt8 {
        var above: UInt8 = 1
        for other in others { above = GaloisField.product(above, place ^ other) }
        var below: UInt8 = 1
        for (other, value) in own.enumerated() where other != index {
            below = GaloisField.product(below, place ^ value)
        }
        return GaloisField.product(above, GaloisField.inverse(below))
    }
}
