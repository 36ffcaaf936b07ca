/// What the media of a session throws away, by name.
package enum MediaDrop: String, Sendable, CaseIterable, Hashable {
    // Of what comes.
    case malformed
    case malformedRTP = "malformed-rtp"
    case malformedRTCP = "malformed-rtcp"
    /// Protection says that it is not the peer's, or it came before.
    case notGenuine = "not-genuine"
    /// Anything but reports, where only these are taken.
    case notRTCP = "not-rtcp"
    /// Neither SSRC nor mid nor payload type tells which section it belongs to (RFC 9143 section 9.2).
    case unknownStream = "unknown-stream"
    /// A mid that no section has, or one of a section by which nothing is received.
    case unknownMediaID = "unknown-mid"
    /// Not one of its stream's.
    case unknownPayloadType = "unknown-payload-type"
    /// Of another source than the stream's.
    case foreignStream = "foreign-stream"
    /// Interleaved, on a channel that was not agreed on.
    case foreignChannel = "foreign-channel"
    /// Over UDP, longer than is taken.
    case truncated
    /// A response of RTSP that nobody waits for.
    case strayResponse = "stray-response"
    /// Of a stream that another took the place of.
    case retiredStream = "retired-stream"
    /// A packet that was sent again, of a stream that has not come yet or is no longer used.
    case strayRetransmission = "stray-retransmission"
    /// Nothing but padding, in a stream of retransmission: a probe of the path.
    case probe
    /// Of a codec from before the last change.
    case earlierCodec = "earlier-codec"
    /// More of one codec's parameter sets than are kept, or a picture without any, or one that refers to it.
    case noParameterSets = "no-parameter-sets"
    /// About packets that were not sent, or so long ago that nothing is known of them.
    case strayFeedback = "stray-feedback"
    /// Transport-wide feedback whose clock jumps.
    case implausibleFeedback = "implausible-feedback"
    /// A request for packets where none are sent again.
    case refusedNACK = "refused-nack"

    // Of what is to be sent.
    /// No such stream is sent, or not yet.
    case notSending = "not-sending"
    /// The viewer has not shown yet where it is.
    case beforeFirstReport = "before-first-report"
    /// The peer does not take this codec.
    case refusedCodec = "refused-codec"
    /// Cut for larger packets than go here.
    case payloadTooLarge = "payload-too-large"
    case awaitingKeyframe = "awaiting-keyframe"
    case protectionFailed = "protection-failed"
    /// Wanted from the peer, which has no way to be asked.
    case cannotAsk = "cannot-ask"
}
