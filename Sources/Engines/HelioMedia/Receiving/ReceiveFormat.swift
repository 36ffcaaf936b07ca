package import HelioCore

/// The format of received packets of one payload type: codec, clock rate and feedback, as negotiated or described.
package struct ReceiveFormat: Sendable, Hashable {
    package var payloadType: PayloadType
    /// The payload type of retransmissions in a stream of their own (RFC 4588).
    package var retransmissionType: PayloadType?
    /// The video codec; `nil` for streams whose packets are output one by one: audio, and streams that are only
    /// relayed.
    package var video: VideoCodec?
    /// The rate of RTP timestamps, in hertz.
    package var clockRate: UInt32
    /// True if missing packets may be requested.
    package var takesNACK = false
    package var takesPictureLoss = false
    package var takesFullIntraRequest = false
    /// True if the source sends repair pictures on request, marks them, and marks the end of each frame.
    package var givesRepairs = false
    /// The parameter sets from the description, without start codes, in the order in which a decoder needs them.
    package var parameterSets: [[UInt8]] = []

    package init(payloadType: PayloadType, video: VideoCodec?, clockRate: UInt32 = 90_000) {
        self.payloadType = payloadType
        self.video = video
        self.clockRate = clockRate
    }
}
