import HelioCore
import HelioSDP

/// A codec that a peer lists in a section.
struct RemoteCodec: Sendable {
    var map: RTPMap
    var parameters: FormatParameters?
    var feedback: [RTPCodec.Feedback]
    /// The codec's identity; `nil` where its parameters are malformed or unknown.
    var identity: CodecIdentity?
    /// The payload type of its retransmissions.
    var retransmission: PayloadType?
}
