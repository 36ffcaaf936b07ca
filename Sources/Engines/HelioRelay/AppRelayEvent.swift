package import HelioRelayWire

/// An event of the relaying extension, reported to the app.
package enum AppRelayEvent: Sendable, Hashable {
    /// An extension has become active. Its format and a keyframe follow.
    case joined
    /// The format of the pictures that follow.
    case format(RelayFormat)
    case picture(RelayedPicture)
    case sound(RelaySound)
    /// The extension's session has ended, regularly if the reason is `nil`.
    case left(AppRelayDrop?)
    /// The extension's connection was closed without an end message.
    case vanished
}
