package import HelioCore
package import HelioProtection

/// A TURN server with the user's credentials, which its description and mirror don't show.
package struct TURNServer: Sendable, CustomStringConvertible, CustomReflectable {
    /// The identifier of a server within a peer connection.
    package struct ID: Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    package let id: ID
    /// The server's address, with the transport that `isTCP` selects.
    package let address: TransportAddress
    /// True for TCP between client and server. Between server and peers, UDP is always used.
    package let isTCP: Bool
    /// The name that the server's TLS certificate must contain; `nil` without TLS.
    package let tlsName: String?
    /// The user name, at most 513 bytes. The caller has to prepare it and the password after RFC 8265.
    package let username: String
    package let password: SecretBytes
    /// The address family of the relayed address to request; only peers of this family can be reached through the
    /// server.
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

    /// Returns the same server with other credentials.
    package func with(username: String, password: SecretBytes) -> TURNServer {
        TURNServer(
            id: id, address: address, isTCP: isTCP, tlsName: tlsName, username: username, password: password,
            relayedFamily: relayedFamily)
    }

    package var description: String { "TURN server \(address)" }
    package var customMirror: Mirror { Mirror(self, children: ["id": id.rawValue, "address": address]) }
}
