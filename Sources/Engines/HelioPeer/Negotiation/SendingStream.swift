package import HelioCore

/// The stream that a transceiver sends: SSRCs that the caller drew, and names for the other end's app.
package struct SendingStream: Sendable, Hashable {
    package var ssrc: SSRC
    /// The SSRC of the retransmission stream.
    package var retransmissionSSRC: SSRC
    /// The SSRC of the parity stream; `nil` where none is ever sent.
    package var paritySSRC: SSRC?
    /// The app's stream that the track is in; `nil` for none (RFC 8830).
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
