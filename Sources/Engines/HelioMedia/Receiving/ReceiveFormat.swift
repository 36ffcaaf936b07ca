package import HelioCore

/// What the packets of one payload type of a stream are, by agreement or description.
package struct ReceiveFormat: Sendable, Hashable {
    package var payloadType: PayloadType
    /// Of packets that are sent again in a stream of their own (RFC 4588).
    package var retransmissionType: PayloadType?
    /// `nil` for what is handed on packet by packet: audio, and what only passes through.
    package var video: VideoCodec?
    /// In hertz.
    package var clockRate: UInt32
    /// Missing packets may be asked for.
    package var takesNACK = false
    package var takesPictureLoss = false
    package var takesFullIntraRequest = false
    /// What the description tells, without start codes, in the order in which a decoder wants them.
    package var parameterSets: [[UInt8]] = []

    package init(payloadType: PayloadType, video: VideoCodec?, clockRate: UInt32 = 90_000) {
        self.payloadType = payloadType
        self.video = video
        self.clockRate = clockRate
    }
}
