import HelioCore
import HelioTURN

/// One TURN server of a connection.
final class Relay {
    let server: TURNServer
    let client: TURNClient
    /// Where peers reach this end by it.
    var address: TransportAddress?
    /// It has given an address, or will give none.
    var isSettled = false

    init(_ server: TURNServer, _ client: TURNClient) {
        self.server = server
        self.client = client
    }
}
