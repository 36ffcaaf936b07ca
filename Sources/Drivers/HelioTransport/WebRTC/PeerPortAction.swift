package import HelioCore
package import HelioPeer

/// What the engine of a peer wants of its ``PeerPort``.
package enum PeerPortAction<Event> {
    /// - Parameter from: a candidate's base.
    case datagram([UInt8], from: TransportAddress, to: TransportAddress)
    /// Answered by `.resolved`.
    case resolve(String)
    /// Answered by `.connected` or `.disconnected`.
    case connect(from: TransportAddress, to: TransportAddress)
    case server(Int, RelayCommand)
    case event(Event)
}
