/// A channel of an RTP stream, RTP or RTCP: a port over UDP, an interleaved channel over TCP.
package enum RTPChannel: Sendable, Hashable {
    case rtp
    case rtcp
}
