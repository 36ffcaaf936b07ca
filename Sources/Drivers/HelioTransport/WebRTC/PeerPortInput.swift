package import HelioCore
package import HelioICE
package import HelioPeer

/// What a ``PeerPort`` tells the engine of a peer.
package enum PeerPortInput: Sendable {
    /// By UDP, or one of a connection's packets.
    case datagram([UInt8], from: TransportAddress, onLocal: TransportAddress)
    case localCandidate(LocalCandidate)
    case localCandidatesEnded
    /// What a name means; nothing where nobody answered.
    case resolved(String, [IPAddress])
    case connected(from: TransportAddress, to: TransportAddress, local: TransportAddress)
    case disconnected(from: TransportAddress, to: TransportAddress)
    /// - Parameter server: the engine's own number.
    case server(Int, RelayEvent)
}
