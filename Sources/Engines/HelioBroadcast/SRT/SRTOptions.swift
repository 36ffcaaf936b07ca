/// The settings of a sender that are not in its address.
package struct SRTOptions: Sendable {
    /// The broadcast's settings; its time-out for connecting is replaced by the address's.
    package var broadcast = BroadcastSettings()
    /// The silence of the peer after which the connection counts as lost; at least 1 s, as the peer sends something
    /// each second.
    package var peerTimeout = Duration.seconds(5)

    package init() {}
}
