package import HelioCore
package import HelioMDNS

/// A sharing host that announces itself. None of it is proven.
package struct FoundHost: Hashable, Sendable {
    /// Tells it from other hosts.
    package struct ID: Hashable, Sendable, Comparable {
        package var service: String
        package var machine: String
        package var fingerprint: String

        package static func < (one: ID, other: ID) -> Bool {
            (one.service, one.machine, one.fingerprint) < (other.service, other.machine, other.fingerprint)
        }
    }

    /// Where it can be reached.
    package struct Address: Hashable, Sendable, CustomStringConvertible {
        package var ip: IPAddress
        /// For an address of the link alone.
        package var zone: String?

        package init(_ ip: IPAddress, zone: String? = nil) {
            self.ip = ip
            self.zone = zone
        }

        /// `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`.
        package var description: String { "\(ip)" + (zone.map { "%\($0)" } ?? "") }
    }

    package var id: ID
    /// Its service's name, fit for a terminal: unlike that of others on one link.
    package var name: String
    /// What it calls itself, fit for a terminal.
    package var ownName: String?
    /// The best first.
    package var addresses: [Address]
    package var port: UInt16
    package var description: HostDescription
    package var isLocal: Bool
}
