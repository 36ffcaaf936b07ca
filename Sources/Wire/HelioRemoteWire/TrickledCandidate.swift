/// A trickled candidate as `RTCIceCandidate.toJSON()` writes it.
public struct TrickledCandidate: Hashable, Sendable {
    /// The candidate as in SDP, without `a=`. At most 1024 bytes; empty for the end of candidates, as some browsers
    /// send it.
    public var candidate: String
    /// The media section's `mid`, at most 64 bytes.
    public var sdpMid: String?
    /// The media section's index, 0 ... 65535.
    public var sdpMLineIndex: Int?

    /// Makes a candidate.
    public init(candidate: String, sdpMid: String?, sdpMLineIndex: Int?) {
        self.candidate = candidate
        self.sdpMid = sdpMid
        self.sdpMLineIndex = sdpMLineIndex
    }
}
