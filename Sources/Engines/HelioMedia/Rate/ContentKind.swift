/// The kind of content on a screen, by what is preserved first when the rate is short.
package enum ContentKind: String, Sendable, Hashable {
    /// Text, and whatever else somebody reads or works with: it keeps its sharpness, and loses frames.
    case text
    /// Video, games, animations: they keep their frame rate, and are encoded smaller.
    case motion
}
