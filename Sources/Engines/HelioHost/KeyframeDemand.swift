import HelioCore
import HelioMedia

/// The demand of all viewers of a host, native and browsers, for keyframes of its one encoder: a keyframe serves them
/// all, and costs them all.
///
/// Keyframes come a tenth of a second apart at the least. A viewer that has just joined gets one; those that are
/// requested again and again, as a viewer may that only watches, are two a second in the long run. A request that comes
/// too soon waits, and the next keyframe answers all requests before it.
struct KeyframeDemand {
    private static let spacing = Duration.milliseconds(100)
    /// The most keyframes for repair within `repairTime`.
    private static let repairs = 4
    private static let repairTime = Duration.seconds(2)

    private var wish: KeyframeWish?
    private var asked: Instant?
    /// The times at which the last repairs were requested, oldest first.
    private var repaired: [Instant] = []

    mutating func ask(_ new: KeyframeWish) {
        if wish == nil || new.isJoin { wish = new }
    }

    /// Drops the request: a keyframe is on its way to all, or nobody is there to wait for one.
    mutating func clear() { wish = nil }

    /// Takes the request; the reason where a keyframe has to be coded now.
    mutating func poll(now: Instant) -> String? {
        guard let wish, due.map({ now >= $0 }) ?? true else { return nil }
        asked = now
        if !wish.isJoin {
            if repaired.count == Self.repairs { repaired.removeFirst() }
            repaired.append(now)
        }
        self.wish = nil
        return wish.reason
    }

    var deadline: Deadline? {
        wish == nil ? nil : due.map { Deadline(at: $0, why: "a keyframe is owed") }
    }

    /// The time of the next keyframe; `nil`: at once.
    private var due: Instant? {
        guard let wish, let asked else { return nil }
        let soonest = asked + Self.spacing
        guard !wish.isJoin, repaired.count == Self.repairs else { return soonest }
        return max(soonest, repaired[0] + Self.repairTime)
    }
}
