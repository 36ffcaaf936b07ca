/// A service that this machine announces by DNS-SD (RFC 6763), in the domain of the local link.
package struct ServiceAnnouncement: Hashable, Sendable {
    /// The DNS-SD service type of hosts that share their screen (requirement row 104).
    package static let screenType = "_screencast._tcp"

    /// The wanted name, at most 63 bytes of UTF-8. A number is added if another service has the name.
    package var name: String
    package var type = screenType
    package var port: UInt16
    /// The TXT record's data, in wire format.
    package var text: [UInt8]
    /// The system's index of the network interface to announce the service on; `nil` for all interfaces.
    package var interface: Int?

    package init(name: String, port: UInt16, text: [UInt8], interface: Int? = nil) {
        self.name = name
        self.port = port
        self.text = text
        self.interface = interface
    }
}
