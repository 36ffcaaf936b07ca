/// The settings of a sender that are not in its address.
package struct SRTOptions: Sendable {
    /// How long a group may wait to be sent.
    package var queueAge = Duration.seconds(1)
    /// How long the other end may be silent; 1 s at least, as it says something each second.
    package var peerTimeout = Duration.seconds(5)
    /// How long the end may take: what waits is sent in it.
    package var endTimeout = Duration.seconds(2)

    package init() {}
}
