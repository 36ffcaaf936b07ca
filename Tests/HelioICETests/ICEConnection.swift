import HelioCore

/// A connection of TCP in the simulated network.
final class ICEConnection {
    let client: ICENode
    let own: TransportAddress
    /// The client's end as the server sees it: behind a translator, another than its own.
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
