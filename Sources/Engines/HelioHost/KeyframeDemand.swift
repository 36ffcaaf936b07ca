import HelioCore
import HelioMedia

/// The keyframe requests of all viewers of one encoding, native and browsers. One keyframe serves all viewers, and
/// costs all of them bitrate.
///
/// Keyframes are at least a tenth of a second apart. A viewer that has just joined gets one; repeated requests, which
/// even a viewer that only watches may send, are limited by a `KeyframeBudget`, and, if a repair picture should have
/// helped (`RepairDemand`), to one second after the last keyframe. A request that comes too soon waits, and the next
/// keyframe answers all pending requests.
struct KeyframeDemand {
    private static let spacing = Duration.milliseconds(100)
    /// The minimum time since the last keyframe for a viewer that a repair picture should have helped.
    private static let lastResortSpacing = Duration.seconds(1)

    private var wishes = PictureWishes()
    private var asked: Instant?

    mutating func ask(_ new: KeyframeWish) { wishes.ask(new) }

    /// Drops all requests: a keyframe is about to be sent to all viewers, or nobody is watching.
    mutating func clear() { wishes.clear() }

    /// Returns the reason of the request if a keyframe is to be encoded now, and clears it.
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

    /// The earliest time of the next keyframe; `nil`: at once.
    private func due(_ budget: KeyframeBudget) -> Instant? {
        guard let wish = wishes.keyframe else { return nil }
        let soonest = asked.map { $0 + (wish.isLastResort ? Self.lastResortSpacing : Self.spacing) }
        return wish.isJoin ? soonest : [soonest, budget.due].compactMap(\.self).max()
    }
}
