package import HelioRelayWire

/// What an extension hears of its relay.
package enum ExtensionRelayEvent: Sendable, Hashable {
    /// The app takes pictures from now on.
    case connected
    /// The app is gone. Another try follows.
    case lost(ExtensionRelayLoss)
    /// The next picture is to be a keyframe: pictures before it are dropped, or the app has asked for one.
    case keyframeNeeded
    /// The app wants the encoder to keep to this from now on.
    case wish(RelayWish)
    /// The relay is over, for this reason, and does not try again.
    case stopped(RelayEndReason)
}

/// The reason why a connection to the app was given up.
package enum ExtensionRelayLoss: Sendable, Hashable {
    /// The socket was closed, or failed.
    case closed
    /// No sign of life within `ExtensionRelaySettings.silence`.
    case silent
    /// Nothing was taken within `ExtensionRelaySettings.sendTimeout`.
    case sendTimeout
    /// It sent what is no message of an app.
    case violation(RelayWireError)
}
