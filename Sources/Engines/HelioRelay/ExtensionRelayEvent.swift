package import HelioRelayWire

/// An event of the relay, reported to the extension.
package enum ExtensionRelayEvent: Sendable, Hashable {
    /// The app accepts pictures from now on.
    case connected
    /// The connection to the app was lost. The relay will reconnect.
    case lost(ExtensionRelayLoss)
    /// A keyframe is needed: the app has requested one, or the relay drops all pictures until one.
    case keyframeNeeded
    /// The app's new limits for the encoder.
    case wish(RelayWish)
    /// The relay has ended for this reason, and will not reconnect.
    case stopped(RelayEndReason)
}

/// The reason why the connection to the app was lost.
package enum ExtensionRelayLoss: Sendable, Hashable {
    /// The socket was closed, or has failed.
    case closed
    /// The app sent no message within `ExtensionRelaySettings.silence`.
    case silent
    /// The chunk in flight was not sent within `ExtensionRelaySettings.sendTimeout`.
    case sendTimeout
    /// The app sent an invalid message.
    case violation(RelayWireError)
}
