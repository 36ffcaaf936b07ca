/// The kind of what a screen shows, by what has to be kept first where the rate is short.
package enum ContentKind: String, Sendable, Hashable {
    /// Text, and whatever else somebody reads or works with: it stays sharp, and loses frames.
    case text
    /// Video, games, animations: they stay smooth, and become smaller.
    case motion
}
