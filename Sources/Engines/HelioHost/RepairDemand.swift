import HelioCore
import HelioMedia

/// The repair requests of all viewers of one encoding: native viewers, browsers whose page decodes the picture itself,
/// and browsers that accept dependency descriptors. One picture that repairs losses since the oldest frame among the
/// requests serves all of them.
///
/// Repair pictures are at least a twentieth of a second apart. If the encoder answers with keyframes instead, because
/// the whole picture has changed or because it can't make repair pictures, those keyframes count towards the
/// `KeyframeBudget`, which then also limits repair requests.
struct RepairDemand {
    private static let spacing = Duration.milliseconds(50)

    private var wishes = PictureWishes()
    private var asked: Instant?
    /// True if the encoder has not answered the last request yet, by a repair picture or a keyframe.
    private var isOwed = false
    /// True if the encoder answered the last request with a keyframe.
    private var givesKeyframes = false

    mutating func ask(_ new: RepairWish) { wishes.ask(new) }

    /// Drops all requests, as nobody is watching or a keyframe has answered them.
    mutating func clear() {
        wishes.clear()
        isOwed = false
    }

    /// Records a slice that is about to be sent to all viewers. A keyframe or repair picture may answer earlier
    /// requests.
    mutating func heard(_ slice: borrowing EncodedSlice, _ budget: inout KeyframeBudget, now: Instant) {
        guard slice.isFirst else { return }
        if slice.isKeyframe {
            if isOwed {
                givesKeyframes = true
                budget.note(now)
            }
            clear()
        } else if let since = slice.repairsSince {
            isOwed = false
            givesKeyframes = false
            wishes.repairBegins(since: since)
        }
    }

    /// Returns the request if a repair picture is to be encoded now, and clears it.
    mutating func poll(_ budget: KeyframeBudget, now: Instant) -> RepairWish? {
        guard let wish = wishes.repair, due(budget).map({ now >= $0 }) ?? true else { return nil }
        asked = now
        isOwed = true
        wishes.clear()
        return wish
    }

    func deadline(_ budget: KeyframeBudget) -> Deadline? {
        wishes.isEmpty ? nil : due(budget).map { Deadline(at: $0, why: "a repair is owed") }
    }

    /// The earliest time of the next repair request to the encoder; `nil` if it may be made at once.
    private func due(_ budget: KeyframeBudget) -> Instant? {
        let soonest = asked.map { $0 + Self.spacing }
        return givesKeyframes ? [soonest, budget.due].compactMap(\.self).max() : soonest
    }
}
