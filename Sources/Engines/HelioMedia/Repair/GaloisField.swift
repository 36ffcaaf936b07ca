/// The field of 256 elements, GF(2^8) with the polynomial 0x11D; each byte is an element, and addition is XOR.
package enum GaloisField {
    /// x^8 + x^4 + x^3 + x^2 + 1, which has 2 as a primitive element.
    private static let polynomial = 0x11D

    /// The powers of 2, repeated once so that the sum of two logarithms needs no reduction; and the logarithms.
    private static let tables: (powers: [UInt8], logarithms: [Int]) = {
        var powers = [UInt8](repeating: 0, count: 510)
        var logarithms = [Int](repeating: 0, count: 256)
        var value = 1
        for exponent in 0..<255 {
            powers[exponent] = UInt8(value)
            powers[exponent + 255] = UInt8(value)
            logarithms[value] = exponent
            value <<= 1
            if value > 255 { value ^= polynomial }
        }
        return (powers, logarithms)
    }()

    /// All products, in a row for each first factor, so that multiplying a whole symbol by a factor uses only one row.
    private static let products: [UInt8] = {
        var products = [UInt8](repeating: 0, count: 65_536)
        let (powers, logarithms) = tables
        for first in 1..<256 {
            for second in 1..<256 { products[first << 8 | second] = powers[logarithms[first] + logarithms[second]] }
        }
        return products
    }()

    package static func product(_ first: UInt8, _ second: UInt8) -> UInt8 { products[Int(first) << 8 | Int(second)] }

    /// - Precondition: `value` is not 0, which has no inverse.
    package static func inverse(_ value: UInt8) -> UInt8 {
        precondition(value != 0, "0 has no inverse")
        return tables.powers[255 - tables.logarithms[Int(value)]]
    }

    /// Adds `factor` times `source` to `target` from `offset` on, byte by byte.
    ///
    /// - Precondition: `target` holds at least as many bytes from `offset` on.
    package static func add(_ source: RawSpan, times factor: UInt8, to target: inout [UInt8], at offset: Int) {
        let count = source.byteCount
        precondition(offset >= 0 && offset <= target.count && count <= target.count - offset, "symbol is too long")
        guard factor != 0 else { return }
        // The bounds are checked once above: a check for each byte would take longer than the multiplication itself.
        source.withUnsafeBytes { source in
            target.withUnsafeMutableBufferPointer { target in
                let target = UnsafeMutableBufferPointer(rebasing: target[offset..<offset + count])
                products.withUnsafeBufferPointer { products in
                    let row = UnsafeBufferPointer(rebasing: products[Int(factor) << 8..<(Int(factor) << 8) + 256])
                    for index in 0..<count { target[index] ^= row[Int(source[index])] }
                }
            }
        }
    }

    /// Adds `source` to `target` from `offset` on, byte by byte.
    ///
    /// - Precondition: `target` holds at least as many bytes from `offset` on.
    package static func add(_ source: RawSpan, to target: inout [UInt8], at offset: Int) {
        let count = source.byteCount
        precondition(offset >= 0 && offset <= target.count && count <= target.count - offset, "symbol is too long")
        source.withUnsafeBytes { source in
            target.withUnsafeMutableBufferPointer { target in
                for index in 0..<count { target[offset + index] ^= source[index] }
            }
        }
    }
}
