/// Detects scrolling: keeps the picture that was coded last, and plans how the next one is the same, moved.
///
/// Belongs to the media thread.
package final class ScrollWatch {
    /// The large changes one after the other, none of them scrolling, after which the picture counts as a film and is
    /// examined only now and then.
    private static let patience = 4
    private static let filmInterval = 16

    /// The most new macroblocks of a plan.
    private let limit: Int
    private var finder: ScrollFinder
    private var shadow: SourceShadow?
    /// True where `shadow` is the picture that was coded last.
    private var isCurrent = false
    private var misses = 0

    /// - Parameter range: the most lines by which motion may point up or down.
    package init(range: Int, limit: Int) {
        self.limit = limit
        finder = ScrollFinder(range: range)
    }

    /// Forgets the misses, as little changed, or nothing: whatever it was, it is over.
    package func rest() { misses = 0 }

    /// Makes a plan for a picture of which much has changed; `nil` where it is not the last one moved up or down.
    package func plan(for picture: MacroblockPicture) -> ScrollPlan? {
        misses += 1
        guard isCurrent, let shadow, let motion = finder.motion(of: picture, since: shadow),
            let plan = ScrollPlan(picture, since: shadow, motion: motion, limit: limit)
        else { return nil }
        misses = 0
        return plan
    }

    /// Keeps a picture. To be called when it is coded, and before it is marked so.
    package func remember(_ picture: MacroblockPicture) {
        guard misses < Self.patience || misses % Self.filmInterval == 0 else {
            isCurrent = false
            return
        }
        let shadow = shadow ?? SourceShadow(like: picture)
        self.shadow = shadow
        shadow.follow(picture, isCurrent: isCurrent)
        isCurrent = true
    }
}
