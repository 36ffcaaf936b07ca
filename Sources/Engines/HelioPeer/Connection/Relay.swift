import HelioCore
import HelioTURN

/// A TURN server of a connection, with its client.
final class Relay {
    let server: TURNServer
    let client: TURNClient
    /// The relayed address, at which peers reach this end.
    var address: TransportAddress?
    /// True once the server has allocated an address; a relay that gets none is removed.
    var isSettled = false

    init(_ server: TURNServer, _ client: TURNClient) {
        self.server = server
        self.client = client
    }
}
