package import HelioRelayWire

/// The limits and times of the app's end of the relay.
package struct AppRelaySettings: Sendable, Hashable {
    /// The maximum number of open connections, including that of the active extension.
    package var connections = 8
    /// The limits of message lengths.
    package var limits = RelayLimits()
    /// The maximum size of a picture in bytes, with start codes.
    package var pictureBytes = 8 << 20
    /// The maximum number of NAL units in a picture.
    package var nalUnits = 4096
    /// The interval of heartbeats.
    package var heartbeat = Duration.milliseconds(250)
    /// The time without a message after which an extension is disconnected, before and after its hello (the receive
    /// timeout of requirement row 135).
    package var receiveTimeout = Duration.seconds(10)
    /// The maximum age of relayed media; earlier capture times are clamped to it.
    package var oldest = Duration.seconds(10)

    package init() {}
}
