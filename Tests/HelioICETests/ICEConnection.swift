import HelioCore

/// A TCP connection in the simulated network.
final class ICEConnection {
    let client: ICENode
    let own: TransportAddress
    /// The client's address as seen by the server; behind a NAT it differs from its own.
    let seen: TransportAddress
    let server: TransportAddress
    var isClosed = false

    init(client: ICENode, own: TransportAddress, seen: TransportAddress, server: TransportAddress) {
        self.client = client
        self.own = own
        self.seen = seen
        self.server = server
    }
}
