/// The settings of a publisher that are not in its address.
package struct RTMPOptions: Sendable {
    /// How long a unit may wait to be sent.
    package var queueAge = RTMPUnitQueue.defaultAge
    /// How long a server may take for each step up to publishing.
    package var stepTimeout = Duration.seconds(10)
    /// How long a server may take no data before the connection is given up.
    package var stallTimeout = Duration.seconds(20)
    /// How long the end may take: what waits is sent in it.
    package var endTimeout = Duration.seconds(2)

    package init() {}
}
