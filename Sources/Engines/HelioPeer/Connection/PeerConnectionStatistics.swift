/// Traffic counts of a connection: datagrams as they are on the wire, without UDP and IP.
package struct PeerConnectionStatistics: Sendable, Hashable {
    package var datagramsReceived = 0
    package var bytesReceived = 0
    package var datagramsSent = 0
    package var bytesSent = 0
    package var messagesReceived = 0
    package var messagesSent = 0
}
