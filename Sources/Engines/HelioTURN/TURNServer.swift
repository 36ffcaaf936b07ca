package import HelioCore
package import HelioProtection

/// A TURN server, and who one is to it. What describes it shows neither user nor password.
package struct TURNServer: Sendable, CustomStringConvertible, CustomReflectable {
    /// Which of a peer connection's servers.
    package struct ID: Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    package let id: ID
    /// Where it listens; its protocol follows from `isTCP`.
    package let address: TransportAddress
    /// Between client and server; peers are reached by UDP either way.
    package let isTCP: Bool
    /// Whom its certificate has to be for, where the way there is by TLS, and so by TCP.
    package let tlsName: String?
    /// At most 513 bytes, prepared as RFC 8265 has it; so is the password.
    package let username: String
    package let password: SecretBytes
    /// Of the address on the server that peers send to.
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

    package var description: String { "TURN server \(address)" }
    package var customMirror: Mirror { Mirror(self, children: ["id": id.rawValue, "address": address]) }
}
