/// The six digits that both ends of a pairing show, so that the users can compare them.
package struct PairingCode: Hashable, Sendable, CustomStringConvertible {
    /// The number of possible codes.
    package static let count: UInt64 = 1_000_000

    package let number: Int

    package init(_ value: UInt64) { number = Int(value % Self.count) }

    /// The code in two groups of three digits, for example 012 345.
    package var description: String {
        let digits = String(number)
        let padded = String(repeating: "0", count: 6 - digits.count) + digits
        return "\(padded.prefix(3)) \(padded.suffix(3))"
    }
}
