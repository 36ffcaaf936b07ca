package import HelioCore
package import HelioProtection

/// A TURN server, and the user's credentials for it. Its descriptions show neither user nor password.
package struct TURNServer: Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of a server in a peer connection.
    package struct ID: Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    package let id: ID
    /// The address on which the server listens; its transport follows from `isTCP`.
    package let address: TransportAddress
    /// True for TCP between client and server; peers are reached by UDP either way.
    package let isTCP: Bool
    /// The name that the server's certificate must have, for TLS over TCP; `nil` without TLS.
    package let tlsName: String?
    /// The user name: at most 513 bytes, prepared as RFC 8265 has it; so is the password.
    package let username: String
    package let password: SecretBytes
    /// The family of the relayed address, to which peers send.
    package let relayedFamily: AddressFamily

    package init(
        id: ID, address: TransportAddress, isTCP: Bool, tlsName: String? = nil, username: String,
        password: SecretBytes, relayedFamily: AddressFamily = .ipv4
    ) {
        self.id = id
        self.address = TransportAddress(address.ip, port: address.port, transport: isTCP ? .tcp : .udp)
        self.isTCP = isTCP
        self.tlsName = tlsName
        self.username = username
        self.password = password
        self.relayedFamily = relayedFamily
    }

    /// The server with other credentials.
    package func with(username: String, password: SecretBytes) -> TURNServer {
        TURNServer(
            id: id, address: address, isTCP: isTCP, tlsName: tlsName, username: username, password: password,
            relayedFamily: relayedFamily)
    }

    package var description: String { "TURN server \(address)" }
    package var customMirror: Mirror { Mirror(self, children: ["id": id.rawValue, "address": address]) }
}
