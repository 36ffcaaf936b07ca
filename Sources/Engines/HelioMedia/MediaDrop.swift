/// A reason for which a session's media throws something away, by name.
package enum MediaDrop: String, Sendable, CaseIterable, Hashable {
    // Of what comes.
    case malformed
    case malformedRTP = "malformed-rtp"
    case malformedRTCP = "malformed-rtcp"
    /// Not the peer's according to SRTP, or a replay.
    case notGenuine = "not-genuine"
    /// Anything but reports, on a port that takes only these.
    case notRTCP = "not-rtcp"
    /// A packet whose section neither SSRC nor mid nor payload type tells (RFC 9143 section 9.2).
    case unknownStream = "unknown-stream"
    /// A mid that no section has, or one of a section by which nothing is received.
    case unknownMediaID = "unknown-mid"
    /// A payload type that is none of its stream's.
    case unknownPayloadType = "unknown-payload-type"
    /// A packet from another SSRC than the stream's.
    case foreignStream = "foreign-stream"
    /// Interleaved, on a channel that was not agreed on.
    case foreignChannel = "foreign-channel"
    /// A datagram longer than the receive buffer takes.
    case truncated
    /// An RTSP response that matches no pending request.
    case strayResponse = "stray-response"
    /// A packet of a stream that another has replaced.
    case retiredStream = "retired-stream"
    /// A retransmission for a stream that has not come yet or is no longer used.
    case strayRetransmission = "stray-retransmission"
    /// A parity packet of no block, or unlike others of its block, or that makes no packets.
    case malformedParity = "malformed-parity"
    /// Parity of packets that are not near those that came.
    case strayParity = "stray-parity"
    /// Nothing but padding, in a retransmission stream: a probe of the path.
    case probe
    /// A packet in the codec from before the last change.
    case earlierCodec = "earlier-codec"
    /// More of one codec's parameter sets than are kept, or a picture without any, or one that refers to it.
    case noParameterSets = "no-parameter-sets"
    /// Feedback about packets that were not sent, or so long ago that nothing is known of them.
    case strayFeedback = "stray-feedback"
    /// Transport-wide feedback whose clock jumps.
    case implausibleFeedback = "implausible-feedback"
    /// A request for a repair picture that names no frame which was sent whole, or not lately.
    case unknownPicture = "unknown-picture"
    /// A request for a repair picture where one that helps is on its way.
    case repairUnderWay = "repair-under-way"
    /// A request for a repair picture of a stream that has none.
    case refusedRepair = "refused-repair"
    /// Sound whose payload has not the form of its codec.
    case malformedSound = "malformed-sound"
    /// Redundant sound (RFC 2198) that can't be taken apart.
    case malformedRedundancy = "malformed-redundancy"
    /// Sound from before the answer to PLAY: late already.
    case earlySound = "early-sound"
    /// A packet of a viewer's voice that nobody has taken in time.
    case voiceQueueFull = "voice-queue-full"
    /// A NACK for a stream that has no retransmission.
    case refusedNACK = "refused-nack"

    // Of what is to be sent.
    /// A slice of a stream that is not sent, or not yet.
    case notSending = "not-sending"
    /// Media for a viewer that has not shown yet where it is.
    case beforeFirstReport = "before-first-report"
    /// A codec that the peer does not take.
    case refusedCodec = "refused-codec"
    /// A payload cut for larger packets than the path takes.
    case payloadTooLarge = "payload-too-large"
    case awaitingKeyframe = "awaiting-keyframe"
    case protectionFailed = "protection-failed"
    /// A report or sound for a connection that does not take what was sent before.
    case connectionFull = "connection-full"
    /// A keyframe is needed from a peer that has no way to be asked.
    case cannotAsk = "cannot-ask"
}
