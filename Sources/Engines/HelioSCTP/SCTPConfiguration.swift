/// One end's terms. Both ends of a data channel connection use port 5000 unless their SDP says otherwise.
package struct SCTPConfiguration: Sendable {
    package var localPort: UInt16 = 5000
    package var remotePort: UInt16 = 5000
    /// Of a packet with its header, without DTLS, UDP and IP around it. At least 512.
    package var packetSize = 1200
    /// What is held for the other end, in bytes: pieces, and messages that wait for their turn.
    package var receiveWindow = 1 << 20
    /// The longest message taken from the other end (`a=max-message-size`); at most a half of the window.
    package var maximumMessageSize = 256 * 1024
    /// What may wait to be sent, of all streams, before `send` refuses.
    package var sendLimit = 4 << 20
    /// What may be sent and not acknowledged, whatever the other end has room for.
    package var outstandingLimit = 8 << 20
    package var streams: UInt16 = 65535
    package var initialTimeout: Duration = .seconds(1)
    /// Above the other end's delay of acknowledgements, which is 200 ms.
    package var minimumTimeout: Duration = .milliseconds(400)
    package var maximumTimeout: Duration = .seconds(10)
    /// Retransmissions and heartbeats without an answer, one after the other, until the other end is given up.
    package var maximumRetransmissions = 10
    package var maximumInitiations = 8
    package var acknowledgementDelay: Duration = .milliseconds(200)
    package var heartbeatInterval: Duration = .seconds(30)
    package var cookieLifetime: Duration = .seconds(60)
    /// Lets the other end leave out checksums, as DTLS finds every error (RFC 9653); and does so where it lets us.
    package var acceptsZeroChecksum = true
    /// Against bursts: packets that one acknowledgement may let go, beyond twice those that it is for.
    package var maximumBurst = 4

    package init() {}
}
