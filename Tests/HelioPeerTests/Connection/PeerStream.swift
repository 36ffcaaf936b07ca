import HelioCore

/// An ICE-TCP connection in the simulated network, without a NAT.
final class PeerStream {
    let client: PeerNode
    let own: TransportAddress
    let server: TransportAddress
    var isClosed = false

    init(client: PeerNode, own: TransportAddress, server: TransportAddress) {
        self.client = client
        self.own = own
        self.server = server
    }

    /// The recipient of data between two addresses; `nil` if it doesn't use this connection.
    func receiver(from: TransportAddress, to: TransportAddress, in world: PeerWorld) -> PeerNode? {
        if own == from, server == to { return world.peer(of: client) }
        return server == from && own == to ? client : nil
    }
}
