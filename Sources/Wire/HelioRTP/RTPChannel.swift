/// Which of the two ways of one RTP stream: ports over UDP, channels over TCP.
package enum RTPChannel: Sendable, Hashable {
    case rtp
    case rtcp
}
