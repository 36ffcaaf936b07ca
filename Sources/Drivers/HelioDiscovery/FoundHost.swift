package import HelioCore
package import HelioMDNS

/// A sharing host, as it announces itself; no part of the announcement is authenticated.
package struct FoundHost: Hashable, Sendable {
    /// The identity of a host: the service's name, the machine's name and the announced fingerprint in hexadecimal.
    package struct ID: Hashable, Sendable, Comparable {
        package var service: String
        package var machine: String
        package var fingerprint: String

        package static func < (one: ID, other: ID) -> Bool {
            (one.service, one.machine, one.fingerprint) < (other.service, other.machine, other.fingerprint)
        }
    }

    /// An address at which the host can be reached.
    package struct Address: Hashable, Sendable, CustomStringConvertible {
        package var ip: IPAddress
        /// The zone of a link-local address.
        package var zone: String?

        package init(_ ip: IPAddress, zone: String? = nil) {
            self.ip = ip
            self.zone = zone
        }

        /// The address as text: `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`.
        package var description: String { "\(ip)" + (zone.map { "%\($0)" } ?? "") }
    }

    package var id: ID
    /// The service's name, cleaned of control characters. The name in DNS is unique on one link.
    package var name: String
    /// The name that the host gave itself, cleaned of control characters.
    package var ownName: String?
    /// The addresses, best first.
    package var addresses: [Address]
    package var port: UInt16
    package var description: HostDescription
    package var isLocal: Bool
}
