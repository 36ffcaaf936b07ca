package import HelioRelayWire

/// An event of the relay, reported to the extension.
package enum ExtensionRelayEvent: Sendable, Hashable {
    /// The app accepts pictures from now on.
    case connected
    /// The connection to the app is lost. Another attempt follows.
    case lost(ExtensionRelayLoss)
    /// The next picture has to be a keyframe: the relay drops all others before one, or the app has requested it.
    case keyframeNeeded
    /// The limits that the app wants the encoder to obey from now on.
    case wish(RelayWish)
    /// The relay has ended for this reason, and does not reconnect.
    case stopped(RelayEndReason)
}

/// The reason why the connection to the app was lost.
package enum ExtensionRelayLoss: Sendable, Hashable {
    /// The socket was closed, or failed.
    case closed
    /// No heartbeat or other message within `ExtensionRelaySettings.silence`.
    case silent
    /// The app took no bytes within `ExtensionRelaySettings.sendTimeout`.
    case sendTimeout
    /// The app sent an invalid message.
    case violation(RelayWireError)
}
