import Glibc

/// What the hot paths may cost. A run that costs more ends with status 1.
package struct Budget: Sendable {
    /// Calls of malloc a packet: exact, for they are counted and not timed.
    package let allocationsPerPacket: Double
    /// The least part of libsrtp2's rate, where it is measured against.
    package var leastRatio: Double?

    /// In place, with room for the tag.
    package static let protection = Budget(allocationsPerPacket: 0, leastRatio: 0.8)
    /// The same, and nothing to compare it with.
    package static let suite = Budget(allocationsPerPacket: 0)
    /// The packet itself. What a slice costs as a whole is shared by its fifty packets.
    package static let sending = Budget(allocationsPerPacket: 1)
    /// Into a frame that has its room.
    package static let reassembly = Budget(allocationsPerPacket: 0)

    /// Only calls are counted: times mean nothing on a busy machine.
    nonisolated(unsafe) package static var countsCallsAlone = false

    /// Whether the costs are within the budget.
    package func allows(_ summary: Summary, ratio: Double?) -> Bool {
        // A few calls a round belong to the round.
        guard summary.allocationsPerPacket < allocationsPerPacket + 0.2 else { return false }
        return Self.countsCallsAlone || (ratio ?? .infinity) >= (leastRatio ?? 0)
    }

    package static func finish(isKept: Bool) {
        exit(isKept ? 0 : 1)
    }
}
