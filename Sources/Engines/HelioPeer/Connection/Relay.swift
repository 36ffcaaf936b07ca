import HelioCore
import HelioTURN

/// A TURN server of a connection, with the `TURNClient` for it.
final class Relay {
    let server: TURNServer
    let client: TURNClient
    /// The relayed address, at which the peer reaches this end; `nil` before the allocation.
    var address: TransportAddress?
    /// True once the server has allocated an address. If the allocation fails, the relay is removed.
    var isSettled = false

    init(_ server: TURNServer, _ client: TURNClient) {
        self.server = server
        self.client = client
    }
}
