import Glibc

/// The permitted cost of a hot path. A run that exceeds it exits with status 1.
package struct Budget: Sendable {
    /// The malloc calls per packet: exact, as they are counted and not timed.
    package let allocationsPerPacket: Double
    /// The least ratio to libsrtp2's rate, if it is compared.
    package var leastRatio: Double?

    /// Protection in place, with room for the tag.
    package static let protection = Budget(allocationsPerPacket: 0, leastRatio: 0.8)
    /// Protection by a suite: in place, and without a comparison.
    package static let suite = Budget(allocationsPerPacket: 0)
    /// Sending allocates the packet itself. The cost of a whole slice is shared by its fifty packets.
    package static let sending = Budget(allocationsPerPacket: 1)
    /// Reassembly into a frame with reserved capacity.
    package static let reassembly = Budget(allocationsPerPacket: 0)

    /// Whether only calls are checked: times are meaningless on a busy machine.
    nonisolated(unsafe) package static var countsCallsAlone = false

    /// Whether the costs are within the budget.
    package func allows(_ summary: Summary, ratio: Double?) -> Bool {
        // Allows for a few calls per round.
        guard summary.allocationsPerPacket < allocationsPerPacket + 0.2 else { return false }
        return Self.countsCallsAlone || (ratio ?? .infinity) >= (leastRatio ?? 0)
    }

    package static func finish(isKept: Bool) {
        exit(isKept ? 0 : 1)
    }
}
