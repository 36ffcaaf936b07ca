package import HelioCore

/// What a transceiver sends with: numbers that the caller drew, and names for the other end's app.
package struct SendingStream: Sendable, Hashable {
    package var ssrc: SSRC
    /// For packets that are sent again.
    package var retransmissionSSRC: SSRC
    /// The app's stream that the track is in; `nil` for none (RFC 8830).
    package var stream: String?
    package var track: String?

    package init(ssrc: SSRC, retransmissionSSRC: SSRC, stream: String? = nil, track: String? = nil) {
        self.ssrc = ssrc
        self.retransmissionSSRC = retransmissionSSRC
        self.stream = stream
        self.track = track
    }
}
