/// A trickled candidate as `RTCIceCandidate.toJSON()` writes it.
package struct TrickledCandidate: Hashable, Sendable {
    /// The candidate as in SDP, without `a=`. At most 1024 bytes; empty for the end of candidates, as some browsers
    /// send it.
    package var candidate: String
    /// The media section's `mid`, at most 64 bytes.
    package var sdpMid: String?
    /// The media section's index, 0 ... 65535.
    package var sdpMLineIndex: Int?

    package init(candidate: String, sdpMid: String?, sdpMLineIndex: Int?) {
        self.candidate = candidate
        self.sdpMid = sdpMid
        self.sdpMLineIndex = sdpMLineIndex
    }
}
