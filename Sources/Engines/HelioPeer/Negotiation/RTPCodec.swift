package import HelioCore
package import HelioSDP

/// A codec that this end can send or receive, as SDP describes it.
package struct RTPCodec: Sendable, Hashable {
    /// An RTCP feedback type that this end sends or accepts, for example `nack pli`.
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
    /// The number of audio channels, where `nil` means 1; `nil` for video.
    package var channels: UInt8?
    /// The parameters for `a=fmtp` in an offer; an answer adapts them.
    package var parameters: [FormatParameters.Parameter]
    package var feedback: [Feedback]
    /// True if lost packets are retransmitted in a separate RTX stream (RFC 4588).
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
