/// Traffic counts of a connection. Datagrams of STUN, DTLS and SRTP are included, and plain ones; bytes don't include
/// UDP and IP headers.
package struct PeerConnectionStatistics: Sendable, Hashable {
    package var datagramsReceived = 0
    package var bytesReceived = 0
    package var datagramsSent = 0
    package var bytesSent = 0
    /// The datagrams among them that were passed as they are.
    package var plainReceived = 0
    package var plainSent = 0
    package var messagesReceived = 0
    package var messagesSent = 0

    package init() {}
}
