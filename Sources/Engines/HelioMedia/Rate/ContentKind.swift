/// The kind of content on a screen, which decides whether sharpness or frame rate is preserved when the bitrate is too
/// low for both.
package enum ContentKind: String, Sendable, Hashable {
    /// Text and other content that users read or work with: it is kept sharp, at a lower frame rate.
    case text
    /// Video, games, animations: their frame rate is kept, at a smaller size.
    case motion
}
