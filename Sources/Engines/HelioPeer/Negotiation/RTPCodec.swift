package import HelioSDP

/// A codec that this end can send or receive, as SDP tells of it.
package struct RTPCodec: Sendable, Hashable {
    /// Feedback that this end gives or takes: `nack`, `nack pli` ...
    package struct Feedback: Sendable, Hashable {
        package var kind: String
        package var parameter: String?

        package init(_ kind: String, _ parameter: String? = nil) {
            self.kind = kind
            self.parameter = parameter
        }
    }

    package var kind: MediaKind
    package var encoding: String
    package var clockRate: UInt32
    /// `nil` for video, and stands for one in audio.
    package var channels: UInt8?
    /// What an offer says in `a=fmtp`; an answer adapts it.
    package var parameters: [FormatParameters.Parameter]
    package var feedback: [Feedback]
    /// Lost packets come again in a stream of their own (RFC 4588).
    package var isRetransmitted: Bool

    package init(
        _ kind: MediaKind, _ encoding: String, clockRate: UInt32, channels: UInt8? = nil,
        parameters: [FormatParameters.Parameter] = [], feedback: [Feedback] = [], isRetransmitted: Bool = false
    ) {
        self.kind = kind
        self.encoding = encoding
        self.clockRate = clockRate
        self.channels = channels
        self.parameters = parameters
        self.feedback = feedback
        self.isRetransmitted = isRetransmitted
    }
}
