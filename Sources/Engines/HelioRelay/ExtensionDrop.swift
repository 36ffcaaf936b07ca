/// The reason why the extension's end of the relay dropped something.
package enum ExtensionDrop: String, CaseIterable, Hashable, Sendable {
    /// A picture while no app was connected.
    case pictureUnheard = "relay-picture-unheard"
    /// A picture that did not fit into the queue, or was dropped to make room: the app is slow.
    case pictureOverflow = "relay-picture-overflow"
    /// A picture that waited too long: the app is slow.
    case pictureLate = "relay-picture-late"
    /// A picture that refers to one that was dropped.
    case pictureBroken = "relay-picture-broken"
    /// A picture that was queued when the app vanished.
    case pictureLost = "relay-picture-lost"
    /// A picture that is no valid access unit.
    case pictureMalformed = "relay-picture-malformed"
    /// A packet of sound while no app was connected.
    case soundUnheard = "relay-sound-unheard"
    /// A packet of sound that was dropped for a newer one.
    case soundOverflow = "relay-sound-overflow"
    /// A packet of sound that was queued when the app vanished.
    case soundLost = "relay-sound-lost"
    /// A packet of sound of an unknown format, or longer than a message may be.
    case soundMalformed = "relay-sound-malformed"
}
