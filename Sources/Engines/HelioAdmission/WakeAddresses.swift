package import HelioCore

/// The hardware addresses by which a host is woken while it sleeps (`MagicPacket`). A host tells them to the devices
/// that it pairs with, wired interfaces first:
///
///     Heliograph-Wake: 52:54:00:12:34:56, 52:54:00:12:34:57
package struct WakeAddresses: Sendable, Hashable {
    package static let headerName = "Heliograph-Wake"
    /// The maximum number of addresses.
    package static let most = 4
    /// The maximum length of the header in bytes: each address has 17, and a comma and a space follow it.
    private static let longest = most * 19

    package let all: [HardwareAddress]

    /// Makes a list of the first addresses, each once; `nil` if there are none.
    package init?(_ addresses: [HardwareAddress]) {
        var all: [HardwareAddress] = []
        for address in addresses where all.count < Self.most && !all.contains(address) { all.append(address) }
        guard !all.isEmpty else { return nil }
        self.all = all
    }

    /// Parses the form of the header; `nil` if it is malformed, or longer than a full list.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.longest else { return nil }
        var addresses: [HardwareAddress] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let spaceless = part.drop { $0 == " " }
            guard let address = HardwareAddress(spaceless) else { return nil }
            addresses.append(address)
        }
        self.init(addresses)
    }

    /// The form of the header and of stored pairings.
    package var text: String { all.map(\.description).joined(separator: ", ") }
}
