package import HelioRelayWire

/// What an app hears of the extension that is relaying.
package enum AppRelayEvent: Sendable, Hashable {
    /// An extension has begun. Its format comes next, and a keyframe as its first picture.
    case joined
    /// The format of the pictures that follow.
    case format(RelayFormat)
    case picture(RelayedPicture)
    case sound(RelaySound)
    /// The extension is gone: of its own will, if `drop` is `nil`.
    case left(AppRelayDrop?)
    /// The connection of the extension is gone without a farewell.
    case vanished
}
