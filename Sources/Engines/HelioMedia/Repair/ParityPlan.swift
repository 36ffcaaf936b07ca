/// The number of parity packets for a block, by the block's number of packets.
package struct ParityPlan: Sendable, Hashable {
    /// A plan by which no block gets parity.
    package static let none = ParityPlan([])

    /// The number of parity packets, indexed by the number of packets in the block, from 0 on.
    private let parities: [UInt8]

    package init(_ parities: [UInt8]) { self.parities = parities }

    /// True if blocks of some size get parity.
    package var isActive: Bool { parities.contains { $0 > 0 } }

    package subscript(sources: Int) -> Int {
        parities.isEmpty || sources < 1 ? 0 : Int(parities[min(sources, parities.count - 1)])
    }
}
