package import HelioCore

/// The stream that a transceiver sends: its SSRCs, chosen at random by the caller, and its names for the peer's app.
package struct SendingStream: Sendable, Hashable {
    package var ssrc: SSRC
    /// The SSRC of the retransmission stream (RTX, RFC 4588).
    package var retransmissionSSRC: SSRC
    /// The SSRC of the parity stream; `nil` if parity is disabled.
    package var paritySSRC: SSRC?
    /// The name of the app's media stream with this track (RFC 8830); `nil` for none.
    package var stream: String?
    package var track: String?

    package init(
        ssrc: SSRC, retransmissionSSRC: SSRC, paritySSRC: SSRC? = nil, stream: String? = nil, track: String? = nil
    ) {
        self.ssrc = ssrc
        self.retransmissionSSRC = retransmissionSSRC
        self.paritySSRC = paritySSRC
        self.stream = stream
        self.track = track
    }
}
