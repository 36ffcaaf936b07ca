package import HelioCore

/// How a stream's packets of one payload type are received: codec, clock rate and feedback, as agreed or described.
package struct ReceiveFormat: Sendable, Hashable {
    package var payloadType: PayloadType
    /// The payload type of retransmissions in a stream of their own (RFC 4588).
    package var retransmissionType: PayloadType?
    /// The video codec; `nil` for what is handed on packet by packet: audio, and what only passes through.
    package var video: VideoCodec?
    /// The clock rate in hertz.
    package var clockRate: UInt32
    /// True where missing packets may be requested.
    package var takesNACK = false
    package var takesPictureLoss = false
    package var takesFullIntraRequest = false
    /// True where the source gives repair pictures on request, marks them, and marks the end of each frame.
    package var givesRepairs = false
    /// The parameter sets from the description, without start codes, in the order in which a decoder wants them.
    package var parameterSets: [[UInt8]] = []

    package init(payloadType: PayloadType, video: VideoCodec?, clockRate: UInt32 = 90_000) {
        self.payloadType = payloadType
        self.video = video
        self.clockRate = clockRate
    }
}
