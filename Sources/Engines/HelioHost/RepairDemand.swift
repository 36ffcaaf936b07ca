import HelioCore
import HelioMedia

/// The demand of all native viewers of one encode for repair pictures: one since the oldest frame that anybody has as
/// the last serves them all.
///
/// Repairs come a twentieth of a second apart at the least, whoever asks. Where the encoder gives keyframes instead, as
/// all has changed or it has no repairs, they keep to the same `KeyframeBudget` as those that were asked for.
struct RepairDemand {
    private static let spacing = Duration.milliseconds(50)

    private var wishes = PictureWishes()
    private var asked: Instant?
    /// True where the encoder was told and has given neither yet.
    private var isOwed = false
    /// True where the last that the encoder was asked for came as a keyframe.
    private var givesKeyframes = false

    mutating func ask(_ new: RepairWish) { wishes.ask(new) }

    /// Drops the request: nobody is there to wait for a picture.
    mutating func clear() {
        wishes.clear()
        isOwed = false
    }

    /// Learns that a picture is on its way to all, which may answer what was asked before it.
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

    /// Takes the request; the wish where a repair has to be coded now.
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

    /// The time of the next repair; `nil`: at once.
    private func due(_ budget: KeyframeBudget) -> Instant? {
        let soonest = asked.map { $0 + Self.spacing }
        return givesKeyframes ? [soonest, budget.due].compactMap(\.self).max() : soonest
    }
}
