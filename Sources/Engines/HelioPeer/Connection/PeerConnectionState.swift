/// The state of a connection, derived from the states of ICE and DTLS (W3C WebRTC section 4.3.3).
///
///     new --first offer answered--> connecting --ICE and DTLS connected--> connected <--> disconnected
///                                       |                                      |               |
///                                       +------------------> failed <----------+---------------+    any --> closed
///
/// An ICE restart ends the state `failed` if only the path was lost; a failed DTLS handshake is final.
package enum PeerConnectionState: String, Sendable, Hashable, CaseIterable {
    case new
    case connecting
    case connected
    /// The peer has not answered consent checks for some time; the connection may still recover.
    case disconnected
    case failed
    /// Closed by `close` or by the peer.
    case closed
}
