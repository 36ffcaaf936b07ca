/// A systematic Reed-Solomon code for packets that are lost, over `GaloisField`: parity symbol j of source symbols
/// s(i) is the sum of c(j, i) s(i), where c is a Cauchy matrix.
///
/// Any k of the k + m packets of a block restore it, which no code of XOR alone can do (RFC 8627's rows and columns are
/// beaten by a few patterns of loss already). That matters here: a frame is only few packets, each of them is needed,
/// and a block longer than a frame would have to be waited for. The price, a table look-up for each byte and parity, is
/// small at the rates of a screen.
///
/// c(j, i) = 1 / (x(j) + y(i)) hangs on neither k nor m, and every square part of it can be inverted, as all x and y
/// differ.
package enum ReedSolomon {
    /// The most source symbols of a block, and the most parity symbols.
    package static let mostSources = 128
    package static let mostParities = 128

    private static func place(ofParity index: Int) -> UInt8 { UInt8(255 - index) }
    private static func place(ofSource index: Int) -> UInt8 { UInt8(index) }

    /// - Precondition: both indices are within the limits above.
    package static func coefficient(parity: Int, source: Int) -> UInt8 {
        precondition((0..<mostParities).contains(parity) && (0..<mostSources).contains(source), "no such symbol")
        return GaloisField.inverse(place(ofParity: parity) ^ place(ofSource: source))
    }

    /// The inverse of the square part of the matrix with these rows and columns: a row for each source that is lost,
    /// which sums up what the parities tell of those that are lost.
    ///
    /// - Precondition: as many parities as lost sources, each once and within the limits above.
    package static func inverse(parities: [Int], lost: [Int]) -> [[UInt8]] {
        precondition(parities.count == lost.count, "as many parities as lost sources")
        let rows = parities.map { place(ofParity: $0) }
        let columns = lost.map { place(ofSource: $0) }
        // The inverse of a Cauchy matrix is known: no elimination.
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

    /// The product of the distances to `others`, over those to all other of its own kind.
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
