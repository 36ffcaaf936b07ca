package import HelioCore
internal import HelioPeer
package import HelioTURN

/// STUN and TURN servers for the host's end of one browser's session, beside those of the settings: such as a
/// rendezvous lends for a call.
package struct WebServers: Sendable {
    /// The maximum number of servers of a kind, those of the settings included.
    private static let mostOfAKind = 8

    package var stun: [TransportAddress]
    package var turn: [TURNServer]

    package init(stun: [TransportAddress] = [], turn: [TURNServer] = []) {
        self.stun = stun
        self.turn = turn
    }

    /// Adds the servers to a configuration as far as there is room. Numbers them anew, as each needs a number of its
    /// own.
    func add(to configuration: inout PeerConnectionConfiguration) {
        for address in stun.prefix(max(0, Self.mostOfAKind - configuration.stunServers.count))
        where !configuration.stunServers.contains(address) {
            configuration.stunServers.append(address)
        }
        var next = (configuration.turnServers.map(\.id.rawValue).max() ?? -1) + 1
        for server in turn.prefix(max(0, Self.mostOfAKind - configuration.turnServers.count)) {
            configuration.turnServers.append(
                TURNServer(
                    id: .init(rawValue: next), address: server.address, isTCP: server.isTCP, tlsName: server.tlsName,
                    username: server.username, password: server.password, relayedFamily: server.relayedFamily))
            next += 1
        }
    }
}
