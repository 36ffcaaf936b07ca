/// Detects scrolling: stores the last coded picture, and plans how the next picture is predicted from its moved
/// content.
///
/// This type is not thread-safe: it is used on the media thread.
package final class ScrollWatch {
    /// The number of consecutive large changes without scrolling after which the screen counts as showing video.
    private static let patience = 4
    /// The interval, in large changes, at which video is examined for scrolling.
    private static let filmInterval = 16

    /// The maximum of a plan's `newCount`.
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

    /// Resets the count of large changes without scrolling, as little or nothing has changed: a video would keep
    /// changing the picture.
    package func rest() { misses = 0 }

    /// Makes a plan for a picture much of which has changed. Returns `nil` unless most of it is the last coded picture,
    /// moved up or down.
    package func plan(for picture: MacroblockPicture) -> ScrollPlan? {
        misses += 1
        guard isCurrent, let shadow, let motion = finder.motion(of: picture, since: shadow),
            let plan = ScrollPlan(picture, since: shadow, motion: motion, limit: limit)
        else { return nil }
        misses = 0
        return plan
    }

    /// Stores a copy of a coded picture. Call this before the picture's marks are reset, as only marked macroblocks are
    /// copied. While the screen shows video (many large changes in a row without scrolling), most pictures are not
    /// copied.
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
