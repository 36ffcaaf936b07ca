/// A candidate as `RTCIceCandidate.toJSON()` writes it.
package struct TrickledCandidate: Hashable, Sendable {
    /// As in SDP, without `a=`. At most 1024 bytes; empty where a browser ends its candidates by an empty one.
    package var candidate: String
    /// At most 64 bytes.
    package var sdpMid: String?
    /// 0 ... 65535.
    package var sdpMLineIndex: Int?

    package init(candidate: String, sdpMid: String?, sdpMLineIndex: Int?) {
        self.candidate = candidate
        self.sdpMid = sdpMid
        self.sdpMLineIndex = sdpMLineIndex
    }
}
