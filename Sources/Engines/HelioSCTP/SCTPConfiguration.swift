/// One end's settings. Both ends of a data channel connection use port 5000 unless their SDP says otherwise.
package struct SCTPConfiguration: Sendable {
    package var localPort: UInt16 = 5000
    package var remotePort: UInt16 = 5000
    /// The size of a packet with its SCTP header, in bytes, without DTLS, UDP and IP headers; 512 at least.
    package var packetSize = 1200
    /// The receive window in bytes, which bounds the memory for pieces and for whole messages that are not delivered
    /// yet.
    package var receiveWindow = 1 << 20
    /// The longest message accepted from the other end (`a=max-message-size`), in bytes; at most half of the receive
    /// window.
    package var maximumMessageSize = 256 * 1024
    /// The most bytes that may wait to be sent, of all streams, before `send` refuses.
    package var sendLimit = 4 << 20
    /// The most bytes that may be sent and not acknowledged, whatever the other end's window.
    package var outstandingLimit = 8 << 20
    package var streams: UInt16 = 65535
    package var initialTimeout: Duration = .seconds(1)
    /// The shortest retransmission timeout: longer than 200 ms, for which the other end may delay an acknowledgement.
    package var minimumTimeout: Duration = .milliseconds(400)
    package var maximumTimeout: Duration = .seconds(10)
    /// The number of consecutive retransmissions and heartbeats without an answer after which the other end counts as
    /// unreachable.
    package var maximumRetransmissions = 10
    package var maximumInitiations = 8
    package var acknowledgementDelay: Duration = .milliseconds(200)
    package var heartbeatInterval: Duration = .seconds(30)
    package var cookieLifetime: Duration = .seconds(60)
    /// True to allow packets without checksums in both directions, if the other end allows them too: DTLS detects every
    /// error (RFC 9653).
    package var acceptsZeroChecksum = true
    /// The limit on bursts: per acknowledgement, this many packets may be sent beyond twice the acknowledged bytes.
    package var maximumBurst = 4

    package init() {}
}
