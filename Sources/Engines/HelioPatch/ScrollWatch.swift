/// Detects scrolling: keeps the last coded picture, and plans how the next one is predicted from it by moving.
///
/// It belongs to the media thread.
package final class ScrollWatch {
    /// The number of consecutive large changes without scrolling after which the picture counts as a film, and how many
    /// changes apart a film is examined.
    private static let patience = 4
    private static let filmInterval = 16

    /// The largest number of new macroblocks in a plan.
    private let limit: Int
    private var finder: ScrollFinder
    private var shadow: SourceShadow?
    /// True if `shadow` is the last coded picture.
    private var isCurrent = false
    private var misses = 0

    /// - Parameter range: the largest motion in lines, up or down.
    package init(range: Int, limit: Int) {
        self.limit = limit
        finder = ScrollFinder(range: range)
    }

    /// Resets the count of changes without scrolling, as little or nothing has changed: a film would change on.
    package func rest() { misses = 0 }

    /// Makes a plan for a picture much of which has changed; `nil` if it is not the last coded picture, moved up or
    /// down.
    package func plan(for picture: MacroblockPicture) -> ScrollPlan? {
        misses += 1
        guard isCurrent, let shadow, let motion = finder.motion(of: picture, since: shadow),
            let plan = ScrollPlan(picture, since: shadow, motion: motion, limit: limit)
        else { return nil }
        misses = 0
        return plan
    }

    /// Keeps a picture. Call it when the picture is coded, before its marks are reset.
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
