import HelioRelayWire

/// The reason why the app's end of the relay dropped a connection or picture, or ended a session.
package enum AppRelayDrop: String, CaseIterable, Hashable, Sendable {
    /// A session ended by a message that does not begin with `&`.
    case wrongPrefix = "relay-wrong-prefix"
    /// A session ended by an invalid length.
    case wrongLength = "relay-wrong-length"
    /// A session ended by a message type that is unknown, or that extensions must not send.
    case unexpectedKind = "relay-unexpected-kind"
    /// A session ended by an invalid field.
    case malformed = "relay-malformed"
    /// A session ended by a message that is not allowed in its state.
    case outOfOrder = "relay-out-of-order"
    /// A session ended by a picture that exceeds the limits.
    case pictureTooLarge = "relay-picture-too-large"
    /// A session ended because the extension was silent for too long.
    case silent = "relay-silent"
    /// A session ended because the extension's protocol version is too old.
    case version = "relay-version"
    /// A session ended because another extension has replaced it.
    case replaced = "relay-replaced"
    /// A connection beyond ``AppRelaySettings/connections``.
    case tooMany = "relay-too-many"
    /// A connection of another user's process; counted by the driver.
    case stranger = "relay-stranger"
    /// A picture that was interrupted by the next picture or a new format, as the extension has abandoned it.
    case pictureIncomplete = "relay-picture-incomplete"
    /// A picture whose reference picture is missing, a keyframe without parameter sets, or an access unit without
    /// slices.
    case pictureBroken = "relay-picture-broken"

    init(_ error: RelayWireError) {
        switch error {
        case .wrongPrefix: self = .wrongPrefix
        case .wrongLength: self = .wrongLength
        case .unexpectedKind: self = .unexpectedKind
        case .malformed: self = .malformed
        }
    }
}
