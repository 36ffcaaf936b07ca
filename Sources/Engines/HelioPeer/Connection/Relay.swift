import HelioCore
import HelioTURN

/// One TURN server of a connection.
final class Relay {
    let server: TURNServer
    let client: TURNClient
    /// The relayed address, at which peers reach this end.
    var address: TransportAddress?
    /// True once the server has given an address, or will give none.
    var isSettled = false

    init(_ server: TURNServer, _ client: TURNClient) {
        self.server = server
        self.client = client
    }
}
