/// Looks out for scrolling: keeps what a picture was made of, and tells how the next one is the same, moved.
///
/// Belongs to the media thread.
package final class ScrollWatch {
    /// After so many large changes one after the other that were no scrolling, it is a film, and looked at now and then.
    private static let patience = 4
    private static let filmInterval = 16

    /// Most macroblocks of a plan that are new.
    private let limit: Int
    private var finder: ScrollFinder
    private var shadow: SourceShadow?
    /// `shadow` is the picture that was coded last.
    private var isCurrent = false
    private var misses = 0

    /// - Parameter range: how many lines motion may point up or down.
    package init(range: Int, limit: Int) {
        self.limit = limit
        finder = ScrollFinder(range: range)
    }

    /// Little changed, or nothing: whatever it was, it is over.
    package func rest() { misses = 0 }

    /// How a picture of which much has changed is the last one moved up or down, if it is.
    package func plan(for picture: MacroblockPicture) -> ScrollPlan? {
        misses += 1
        guard isCurrent, let shadow, let motion = finder.motion(of: picture, since: shadow),
            let plan = ScrollPlan(picture, since: shadow, motion: motion, limit: limit)
        else { return nil }
        misses = 0
        return plan
    }

    /// To be called when a picture is coded, and before it is marked so.
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
