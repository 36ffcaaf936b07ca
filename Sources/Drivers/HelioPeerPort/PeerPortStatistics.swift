/// Counts of a ``PeerPort`` since it was opened; `peers` and `connections` are the present numbers.
package struct PeerPortStatistics: Sendable {
    package var peers = 0
    /// The number of open TCP connections, without those to TURN servers.
    package var connections = 0
    package var packetsReceived = 0
    package var bytesReceived = 0
    package var packetsSent = 0
    package var bytesSent = 0
    /// Packets that were dropped, counted by reason.
    package var drops: [String: Int] = [:]

    package init() {}
}
