package import HelioRemoteWire

/// What the host wants of a browser's connections.
package enum WebOutput: Sendable {
    /// One text message by the WebSocket.
    case send([UInt8])
    /// Ends the WebSocket, once what was sent is out.
    case close
    case peer(PeerDemand)

    package enum PeerDemand: Sendable {
        /// Makes a peer connection that answers this offer: one track of H.264 goes out, data channels come in.
        case begin(offer: String)
        /// The viewer's; `nil`: there are no more.
        case candidate(TrickledCandidate?)
        /// Ends it, once what was sent is out. Nothing more is heard of it.
        case close
    }
}
