package import HelioRelayWire

/// The limits and times of an app's end of the relay.
package struct AppRelaySettings: Sendable, Hashable {
    /// The most open connections, including the present extension's.
    package var connections = 8
    /// The limits of message lengths.
    package var limits = RelayLimits()
    /// The most bytes of a picture, including start codes.
    package var pictureBytes = 8 << 20
    /// The most NAL units of a picture.
    package var nalUnits = 4096
    /// The interval of heartbeats.
    package var heartbeat = Duration.milliseconds(250)
    /// The time after which a silent extension is disconnected (row 135's receive timeout), and so is one that has not
    /// said hello.
    package var receiveTimeout = Duration.seconds(10)
    /// The greatest age of relayed media; earlier instants are set to this age.
    package var oldest = Duration.seconds(10)

    package init() {}
}
