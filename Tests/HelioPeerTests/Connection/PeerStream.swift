import HelioCore

/// A connection of ICE-TCP in the simulated network, with no translator in between.
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

    /// Who gets what is sent so; `nil` where it is not by this connection.
    func receiver(from: TransportAddress, to: TransportAddress, in world: PeerWorld) -> PeerNode? {
        if own == from, server == to { return world.peer(of: client) }
        return server == from && own == to ? client : nil
    }
}
