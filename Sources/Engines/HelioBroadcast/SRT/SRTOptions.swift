/// The settings of an SRT sender that are not in its address.
package struct SRTOptions: Sendable {
    /// The broadcast's settings, except for the connect timeout, which is derived from the address.
    package var broadcast = BroadcastSettings()
    /// The silence of the peer after which the connection counts as lost; at least 1 s, as the peer sends at least one
    /// packet per second.
    package var peerTimeout = Duration.seconds(5)

    package init() {}
}
