package import HelioBroadcast

/// The settings of a sender that are not in its address.
package struct SRTOptions: Sendable {
    /// Its time to connect is that of the address.
    package var broadcast = BroadcastSettings()
    /// How long the other end may be silent; 1 s at least, as it says something each second.
    package var peerTimeout = Duration.seconds(5)

    package init() {}
}
