internal import HelioCore
package import HelioRendezvousWire

/// The place where a host is reached from any network: a rendezvous server, and the host's name there. A host gives it
/// to the devices that it pairs with, and writes it into its links.
///
///     Heliograph-Rendezvous: DEVICE@https://HOST[:PORT][/PATH][#FINGERPRINT]
package struct HostRendezvous: Sendable, Hashable {
    package static let headerName = "Heliograph-Rendezvous"
    /// The longest address of a server, in bytes.
    private static let longest = 1024
    private static let usualScheme = "https://"

    /// The host's name at the server.
    package let device: RendezvousID
    /// The server's address with its certificate's fingerprint, if it needs one, as the driver of the connection reads
    /// it.
    package let server: String

    /// Makes a place; `nil` if the server's address is empty, too long, or has spaces or characters beyond ASCII.
    package init?(device: RendezvousID, server: some StringProtocol) {
        guard (1...Self.longest).contains(server.utf8.count), server.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.device = device
        self.server = String(server)
    }

    /// Parses the form of the header; `nil` if it is malformed.
    package init?(_ text: some StringProtocol) {
        guard let mark = text.firstIndex(of: "@"), let device = RendezvousID(text[..<mark]) else { return nil }
        self.init(device: device, server: String(text[text.index(after: mark)...]))
    }

    /// The form of the header and of stored pairings.
    package var text: String { "\(device.text)@\(server)" }

    // MARK: In links

    /// The link that opens the server's page in a browser, which then calls this host:
    ///
    ///     https://rendezvous.example.org/#DEVICE.XXXX-XXXX-XXXX-XXXX
    ///
    /// Browsers send no server what is behind `#`.
    ///
    /// - Parameter code: the link's secret as a code.
    package func pageLink(code: String) -> String {
        let page = server.prefix { $0 != "#" }
        return "\(page)\(page.hasSuffix("/") ? "" : "/")#\(device.text).\(code)"
    }

    /// The name of the link's parameter.
    static let parameter = "via="

    /// The value of the parameter: without `https://`, and with those characters escaped that a link gives a meaning.
    var parameterValue: String {
        let hasUsualScheme = server.lowercased().hasPrefix(Self.usualScheme)
        let place = hasUsualScheme ? server.dropFirst(Self.usualScheme.count) : server[...]
        var value = "\(device.text)@"
        for byte in place.utf8 {
            let character = Character(UnicodeScalar(byte))
            value += "%#&?".contains(character) ? "%" + Hexadecimal.text([byte]) : String(character)
        }
        return value
    }

    /// Parses the value of the parameter; `nil` if it is damaged.
    init?(parameterValue value: some StringProtocol) {
        var bytes: [UInt8] = []
        var rest = value[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                bytes += Array(String(character).utf8)
                continue
            }
            guard rest.utf8.count >= 2, let escaped = Hexadecimal.bytes(String(rest.prefix(2))) else { return nil }
            bytes += escaped
            rest = rest.dropFirst(2)
        }
        guard let text = String(validating: bytes, as: UTF8.self), let mark = text.firstIndex(of: "@"),
            let device = RendezvousID(text[..<mark])
        else { return nil }
        let place = text[text.index(after: mark)...]
        guard !place.isEmpty else { return nil }
        self.init(device: device, server: place.contains("://") ? String(place) : Self.usualScheme + place)
    }
}
