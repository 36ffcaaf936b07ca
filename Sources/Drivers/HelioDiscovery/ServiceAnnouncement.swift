/// A service that this machine announces by DNS-SD (RFC 6763), in the domain of the local link.
package struct ServiceAnnouncement: Hashable, Sendable {
    /// The type of hosts that share their screen (row 104).
    package static let screenType = "_screencast._tcp"

    /// The wanted name, 63 bytes of UTF-8 at most; where another has the name, a number is added.
    package var name: String
    package var type = screenType
    package var port: UInt16
    /// The data of its TXT record.
    package var text: [UInt8]
    /// The network interface, by number, that it is announced on; `nil` is all of them.
    package var interface: Int?

    package init(name: String, port: UInt16, text: [UInt8], interface: Int? = nil) {
        self.name = name
        self.port = port
        self.text = text
        self.interface = interface
    }
}
