import HelioCore
import HelioMedia

/// What all viewers of a host, native and browsers, want of its one encoder: a keyframe serves them all, and costs them
/// all.
///
/// Keyframes come a tenth of a second apart at the least. Whoever has just joined gets one; those that are asked for
/// again and again, as a viewer may that only watches, are two a second in the long run. What is asked for too soon
/// waits, and the next keyframe answers all that was asked for before it.
struct KeyframeDemand {
    private static let spacing = Duration.milliseconds(100)
    /// So many repairs in such a time.
    private static let repairs = 4
    private static let repairTime = Duration.seconds(2)

    private var wish: KeyframeWish?
    private var asked: Instant?
    /// When the last repairs were asked of the encoder, oldest first.
    private var repaired: [Instant] = []

    mutating func ask(_ new: KeyframeWish) {
        if wish == nil || new.isJoin { wish = new }
    }

    /// One is on its way to all, or nobody is there to wait for one.
    mutating func clear() { wish = nil }

    /// The reason when one has to be coded now.
    mutating func take(now: Instant) -> String? {
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

    /// `nil`: at once.
    private var due: Instant? {
        guard let wish, let asked else { return nil }
        let soonest = asked + Self.spacing
        guard !wish.isJoin, repaired.count == Self.repairs else { return soonest }
        return max(soonest, repaired[0] + Self.repairTime)
    }
}
