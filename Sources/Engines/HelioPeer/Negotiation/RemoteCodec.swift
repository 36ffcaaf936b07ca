import HelioCore
import HelioSDP

/// A codec in a section of the peer's description.
struct RemoteCodec: Sendable {
    var map: RTPMap
    var parameters: FormatParameters?
    var feedback: [RTPCodec.Feedback]
    /// The codec's identity; `nil` if its parameters are malformed or unknown.
    var identity: CodecIdentity?
    /// The payload type of its RTX stream; `nil` if there is none.
    var retransmission: PayloadType?
}
