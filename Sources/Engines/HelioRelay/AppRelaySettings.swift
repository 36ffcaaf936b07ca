package import HelioRelayWire

/// The bounds and times of an app's end of the relay.
package struct AppRelaySettings: Sendable, Hashable {
    /// The connections that are open at a time, the present extension's among them.
    package var connections = 8
    /// The longest messages.
    package var limits = RelayLimits()
    /// The most bytes of a picture, start codes included.
    package var pictureBytes = 8 << 20
    /// The most NAL units of a picture.
    package var nalUnits = 4096
    /// The distance of signs of life.
    package var heartbeat = Duration.milliseconds(250)
    /// An extension that is silent for longer is gone (row 135's time-out for receiving), and so is one that does not say
    /// hello in this time.
    package var receiveTimeout = Duration.seconds(10)
    /// The oldest that what is relayed can be; instants before are taken for this.
    package var oldest = Duration.seconds(10)

    package init() {}
}
