/// How many parity packets a block of so many packets gets.
package struct ParityPlan: Sendable, Hashable {
    /// None at all.
    package static let none = ParityPlan([])

    /// By the packets of a block, from 0 on.
    private let parities: [UInt8]

    package init(_ parities: [UInt8]) { self.parities = parities }

    /// True where a block of some size gets parity.
    package var isActive: Bool { parities.contains { $0 > 0 } }

    package subscript(sources: Int) -> Int {
        parities.isEmpty || sources < 1 ? 0 : Int(parities[min(sources, parities.count - 1)])
    }
}
