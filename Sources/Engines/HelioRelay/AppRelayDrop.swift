import HelioRelayWire

/// The reason why the app's end of the relay dropped something, or ended a session.
package enum AppRelayDrop: String, CaseIterable, Hashable, Sendable {
    /// A session, by a message that does not begin with `&`.
    case wrongPrefix = "relay-wrong-prefix"
    /// A session, by a length that can't be.
    case wrongLength = "relay-wrong-length"
    /// A session, by a kind that does not exist, or not from an extension.
    case unexpectedKind = "relay-unexpected-kind"
    /// A session, by a field that has no meaning.
    case malformed = "relay-malformed"
    /// A session, by a message at a time when it makes no sense.
    case outOfOrder = "relay-out-of-order"
    /// A session, by a picture over the limits.
    case pictureTooLarge = "relay-picture-too-large"
    /// A session, as nothing was heard of it in time.
    case silent = "relay-silent"
    /// A session, as its version is unknown.
    case version = "relay-version"
    /// A session, as another extension came.
    case replaced = "relay-replaced"
    /// A connection, as there were enough.
    case tooMany = "relay-too-many"
    /// A picture that the next one cut short: its extension gave it up.
    case pictureIncomplete = "relay-picture-incomplete"
    /// A picture that refers to one that has not come, a keyframe without its parameter sets, or what is no picture.
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
