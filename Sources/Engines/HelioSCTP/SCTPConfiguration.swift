/// The settings of one end of an association. Data channels use port 5000 at both ends unless SDP specifies other
/// ports.
package struct SCTPConfiguration: Sendable {
    package var localPort: UInt16 = 5000
    package var remotePort: UInt16 = 5000
    /// The maximum size of a packet with its SCTP header, in bytes, without DTLS, UDP and IP headers; at least 512.
    package var packetSize = 1200
    /// The receive window in bytes, which bounds the memory for fragments and undelivered messages.
    package var receiveWindow = 1 << 20
    /// The maximum size of a received message (`a=max-message-size`), in bytes; at most half of the receive window.
    package var maximumMessageSize = 256 * 1024
    /// The maximum number of queued bytes of all streams; beyond it, `send` throws `bufferFull`.
    package var sendLimit = 4 << 20
    /// The maximum number of unacknowledged bytes, regardless of the peer's receive window.
    package var outstandingLimit = 8 << 20
    package var streams: UInt16 = 65535
    package var initialTimeout: Duration = .seconds(1)
    /// The minimum retransmission timeout (RTO.Min). It exceeds 200 ms, the usual acknowledgement delay.
    package var minimumTimeout: Duration = .milliseconds(400)
    package var maximumTimeout: Duration = .seconds(10)
    /// The number of consecutive unanswered retransmissions and heartbeats after which the peer counts as unreachable.
    package var maximumRetransmissions = 10
    package var maximumInitiations = 8
    package var acknowledgementDelay: Duration = .milliseconds(200)
    package var heartbeatInterval: Duration = .seconds(30)
    package var cookieLifetime: Duration = .seconds(60)
    /// True to allow packets without checksums in both directions if the peer allows them too, as DTLS detects all bit
    /// errors (RFC 9653).
    package var acceptsZeroChecksum = true
    /// The burst limit: after an acknowledgement, this number of packets may be sent, plus twice the acknowledged
    /// bytes.
    package var maximumBurst = 4

    package init() {}
}
