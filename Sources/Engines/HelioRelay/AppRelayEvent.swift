package import HelioRelayWire

/// An event of the relaying extension, reported to the app.
package enum AppRelayEvent: Sendable, Hashable {
    /// An extension has begun. Its format follows, and then its first picture, a keyframe.
    case joined
    /// The format of the pictures that follow.
    case format(RelayFormat)
    case picture(RelayedPicture)
    case sound(RelaySound)
    /// The extension's session has ended: in good order if the drop is `nil`.
    case left(AppRelayDrop?)
    /// The extension's connection has ended without a farewell.
    case vanished
}
