/// The reason why the extension's end of the relay dropped a picture or a packet of sound.
package enum ExtensionDrop: String, CaseIterable, Hashable, Sendable {
    /// A picture that was passed in while no app was connected.
    case pictureUnheard = "relay-picture-unheard"
    /// A picture that did not fit into the queue, or was dropped for a keyframe, as the app is slow.
    case pictureOverflow = "relay-picture-overflow"
    /// A picture that was queued for too long, as the app is slow.
    case pictureLate = "relay-picture-late"
    /// A picture whose reference picture was dropped.
    case pictureBroken = "relay-picture-broken"
    /// A picture that was queued when the connection ended.
    case pictureLost = "relay-picture-lost"
    /// A picture that is not a valid access unit, or is incomplete.
    case pictureMalformed = "relay-picture-malformed"
    /// A packet of sound that was passed in while no app was connected.
    case soundUnheard = "relay-sound-unheard"
    /// A packet of sound that was dropped from the full queue for a newer one.
    case soundOverflow = "relay-sound-overflow"
    /// A packet of sound that was queued when the connection ended.
    case soundLost = "relay-sound-lost"
    /// A packet of sound with an invalid format, or larger than the message limit.
    case soundMalformed = "relay-sound-malformed"
}
