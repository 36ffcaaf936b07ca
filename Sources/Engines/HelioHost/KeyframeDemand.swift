import HelioCore
import HelioMedia

/// The keyframe requests of all viewers of one encoding, native and browsers. One keyframe serves all viewers, and
/// costs all of them bitrate.
///
/// The encoder is sent at most one keyframe request per tenth of a second. A request for a viewer that has just joined
/// is subject only to this limit. Any other request is also limited by the `KeyframeBudget`, as even a viewer that may
/// only watch can send many; and if a repair picture should have sufficed (`RepairDemand`), the request waits until one
/// second after the last keyframe request. The next keyframe answers all pending requests.
struct KeyframeDemand {
    private static let spacing = Duration.milliseconds(100)
    /// The minimum time since the last keyframe request for a loss that a repair picture should have repaired.
    private static let lastResortSpacing = Duration.seconds(1)

    private var wishes = PictureWishes()
    private var asked: Instant?

    mutating func ask(_ new: KeyframeWish) { wishes.ask(new) }

    /// Drops all requests: a keyframe is about to be sent to all viewers, or nobody is watching.
    mutating func clear() { wishes.clear() }

    /// Returns the reason of the pending request if a keyframe is to be encoded now, and clears all requests.
    mutating func poll(_ budget: inout KeyframeBudget, now: Instant) -> String? {
        guard let wish = wishes.keyframe, due(budget).map({ now >= $0 }) ?? true else { return nil }
        asked = now
        if !wish.isJoin { budget.note(now) }
        wishes.clear()
        return wish.reason
    }

    func deadline(_ budget: KeyframeBudget) -> Deadline? {
        wishes.isEmpty ? nil : due(budget).map { Deadline(at: $0, why: "a keyframe is owed") }
    }

    /// The earliest time of the next keyframe request to the encoder; `nil` if it may be made at once.
    private func due(_ budget: KeyframeBudget) -> Instant? {
        guard let wish = wishes.keyframe else { return nil }
        let soonest = asked.map { $0 + (wish.isLastResort ? Self.lastResortSpacing : Self.spacing) }
        return wish.isJoin ? soonest : [soonest, budget.due].compactMap(\.self).max()
    }
}
