/// What a ``PeerPort`` has done so far.
package struct PeerPortStatistics: Sendable {
    package var peers = 0
    /// Connections of TCP that are open now, TURN's not among them.
    package var connections = 0
    package var packetsReceived = 0
    package var bytesReceived = 0
    package var packetsSent = 0
    package var bytesSent = 0
    /// By name.
    package var drops: [String: Int] = [:]

    package init() {}
}
