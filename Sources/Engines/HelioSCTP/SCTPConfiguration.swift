/// One end's settings. Both ends of a data channel connection use port 5000 unless their SDP says otherwise.
package struct SCTPConfiguration: Sendable {
    package var localPort: UInt16 = 5000
    package var remotePort: UInt16 = 5000
    /// The size of a packet with its SCTP header, in bytes, without DTLS, UDP and IP around it. At least 512.
    package var packetSize = 1200
    /// The receive window in bytes: the most that is held of pieces, and of messages that wait for their turn.
    package var receiveWindow = 1 << 20
    /// The longest message taken from the other end (`a=max-message-size`); at most a half of the window.
    package var maximumMessageSize = 256 * 1024
    /// The most bytes that may wait to be sent, of all streams, before `send` refuses.
    package var sendLimit = 4 << 20
    /// The most bytes that may be sent and not acknowledged, whatever the other end's window.
    package var outstandingLimit = 8 << 20
    package var streams: UInt16 = 65535
    package var initialTimeout: Duration = .seconds(1)
    /// The shortest retransmission timeout: above the other end's delay of acknowledgements, which is 200 ms.
    package var minimumTimeout: Duration = .milliseconds(400)
    package var maximumTimeout: Duration = .seconds(10)
    /// The most consecutive retransmissions and heartbeats without an answer, until the other end counts as
    /// unreachable.
    package var maximumRetransmissions = 10
    package var maximumInitiations = 8
    package var acknowledgementDelay: Duration = .milliseconds(200)
    package var heartbeatInterval: Duration = .seconds(30)
    package var cookieLifetime: Duration = .seconds(60)
    /// True to allow packets without checksums in both directions, if the other end allows them too: DTLS detects every
    /// error (RFC 9653).
    package var acceptsZeroChecksum = true
    /// The most packets sent per acknowledgement, beyond twice the bytes that it acknowledges: a limit on bursts.
    package var maximumBurst = 4

    package init() {}
}
