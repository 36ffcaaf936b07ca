/// The reason why a session's media layer drops a packet, frame or request; the raw value is its name in statistics.
package enum MediaDrop: String, Sendable, CaseIterable, Hashable {
    // Reasons that concern received data.
    case malformed
    case malformedRTP = "malformed-rtp"
    case malformedRTCP = "malformed-rtcp"
    /// SRTP authentication failed, or the packet is a replay.
    case notGenuine = "not-genuine"
    /// A datagram that is not RTCP, on a port that accepts only RTCP.
    case notRTCP = "not-rtcp"
    /// A packet that neither its SSRC nor its mid nor its payload type assigns to a media section (RFC 9143 section
    /// 9.2).
    case unknownStream = "unknown-stream"
    /// A mid that no section has, or the mid of a section that receives nothing.
    case unknownMediaID = "unknown-mid"
    /// A payload type that was not negotiated for the stream.
    case unknownPayloadType = "unknown-payload-type"
    /// A packet from another SSRC than the stream's.
    case foreignStream = "foreign-stream"
    /// An interleaved packet on a channel that was not negotiated.
    case foreignChannel = "foreign-channel"
    /// A datagram longer than the receive buffer.
    case truncated
    /// An RTSP response that matches no pending request.
    case strayResponse = "stray-response"
    /// A packet of a stream that another stream has replaced.
    case retiredStream = "retired-stream"
    /// A retransmission for a stream that has not begun or is no longer used, or of a packet far ahead of all others.
    case strayRetransmission = "stray-retransmission"
    /// A parity packet that can't be parsed, contradicts others of its block, or restores no valid packet.
    case malformedParity = "malformed-parity"
    /// Parity for packets far away from those received.
    case strayParity = "stray-parity"
    /// Padding alone in a retransmission stream: the sender probes the path's bandwidth.
    case probe
    /// A packet in the codec that was used before the last change of codec.
    case earlierCodec = "earlier-codec"
    /// A keyframe whose parameter sets are not known, or a frame that refers to such a keyframe.
    case noParameterSets = "no-parameter-sets"
    /// Feedback about a stream or packets that were never sent, or that the send history no longer holds.
    case strayFeedback = "stray-feedback"
    /// Transport-wide feedback whose reference time jumps.
    case implausibleFeedback = "implausible-feedback"
    /// A request for a repair picture that names a frame which was not sent whole, or was sent too long ago.
    case unknownPicture = "unknown-picture"
    /// A request for a repair picture while a picture that helps is on its way.
    case repairUnderWay = "repair-under-way"
    /// A request for a repair picture of a stream that supports none, or that is paused.
    case refusedRepair = "refused-repair"
    /// An audio payload that is malformed for its codec.
    case malformedSound = "malformed-sound"
    /// Redundant audio (RFC 2198) that can't be parsed.
    case malformedRedundancy = "malformed-redundancy"
    /// Audio received before the response to PLAY: it is too late to be played.
    case earlySound = "early-sound"
    /// A packet of a viewer's voice that arrived while the queue was full.
    case voiceQueueFull = "voice-queue-full"
    /// A NACK for a stream that has no retransmission, or that is paused.
    case refusedNACK = "refused-nack"
    /// A NACK for a packet older than the keyframe or repair picture with which the peer resumes.
    case outdatedNACK = "outdated-nack"
    /// A PLI or FIR from a browser whose page decodes the pictures, and reports losses in its own messages.
    case unheededPictureLoss = "unheeded-picture-loss"

    // Reasons that concern data to be sent.
    /// A packet of a stream that is paused, not negotiated or not yet open.
    case notSending = "not-sending"
    /// Media for a viewer whose address is not known yet: no report has been received from the viewer.
    case beforeFirstReport = "before-first-report"
    /// A codec that the peer does not accept.
    case refusedCodec = "refused-codec"
    /// A payload too large for a packet on this path.
    case payloadTooLarge = "payload-too-large"
    case awaitingKeyframe = "awaiting-keyframe"
    case protectionFailed = "protection-failed"
    /// A report or audio packet for a connection whose send buffer is full.
    case connectionFull = "connection-full"
    /// A keyframe is needed, but the peer supports no feedback to request one.
    case cannotAsk = "cannot-ask"
}
