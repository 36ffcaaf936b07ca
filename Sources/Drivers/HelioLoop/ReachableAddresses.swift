package import HelioCore

/// Ranks this machine's addresses by how likely another machine can reach them.
package enum ReachableAddresses {
    /// Returns the addresses that may be reached from elsewhere on the network, the likeliest first: those of
    /// interfaces with a default route, of other connected interfaces, of tunnels, and self-assigned ones; then those
    /// that only this machine's own containers and virtual machines see, and those of interfaces without a carrier.
    /// Within a group, IPv4 comes first, as users can read and type it.
    ///
    /// Loopback addresses are left out. So are link-local IPv6 addresses, whose zone is valid on this machine only.
    ///
    /// - Parameter routes: the interfaces with a default route, best first.
    package static func order(_ all: [InterfaceAddress], routes: [String]) -> [IPAddress] {
        ranked(all, routes).map(\.ip).filter { $0.family == .ipv4 || !$0.isLinkLocal }
    }

    /// Returns the addresses to show to the user, the likeliest first. Addresses that only this machine's containers
    /// and virtual machines can reach, and those of interfaces without a carrier, are included only if there are no
    /// others. A link-local IPv6 address is included only if there is no better address; Heliograph's viewers try it
    /// with all of their zones. Each interface contributes only one IPv6 address.
    ///
    /// - Parameter limit: the maximum number of addresses.
    package static func named(_ all: [InterfaceAddress], routes: [String], limit: Int) -> [IPAddress] {
        let ranked = ranked(all, routes)
        for worst in [Place.selfAssigned, .zoned, .withoutCarrier] {
            let found = ranked.filter { $0.rank.place <= worst }
            if !found.isEmpty { return Array(withoutFurtherIPv6(found).prefix(limit)) }
        }
        return []
    }

    private static func withoutFurtherIPv6(_ found: [(ip: IPAddress, interface: String, rank: Rank)]) -> [IPAddress] {
        var seen: Set<String> = []
        return found.filter { $0.ip.family == .ipv4 || seen.insert($0.interface).inserted }.map(\.ip)
    }

    /// Returns this machine's present addresses to show to the user; empty if the machine is on no network.
    package static func named(limit: Int) -> [IPAddress] {
        named(InterfaceAddress.all(), routes: DefaultRoutes.interfaces(), limit: limit)
    }

    private enum Place: Int, Comparable {
        case defaultRoute
        case connected
        case tunnel
        /// A link-local IPv4 address, which the interface assigned to itself.
        case selfAssigned
        /// A link-local IPv6 address, which is valid on its own link only.
        case zoned
        /// An address that only this machine's containers and virtual machines can reach.
        case inside
        case withoutCarrier

        static func < (one: Place, other: Place) -> Bool { one.rawValue < other.rawValue }
    }

    private struct Rank: Comparable {
        var place: Place
        /// The interface's index among those with a default route; 0 is the best.
        var route = 0
        var isIPv6: Bool
        /// The address's place in the system's order.
        var number: Int

        static func < (one: Rank, other: Rank) -> Bool {
            (one.place.rawValue, one.route, one.isIPv6 ? 1 : 0, one.number)
                < (other.place.rawValue, other.route, other.isIPv6 ? 1 : 0, other.number)
        }
    }

    private static func ranked(
        _ all: [InterfaceAddress], _ routes: [String]
    ) -> [(ip: IPAddress, interface: String, rank: Rank)] {
        var found: [(ip: IPAddress, interface: String, rank: Rank)] = []
        for (number, entry) in all.enumerated() {
            let ip = entry.ip
            guard !ip.isLoopback, !ip.isUnspecified, !found.contains(where: { $0.ip == ip }) else { continue }
            let route = routes.firstIndex(of: entry.interface)
            let place: Place =
                if !entry.hasCarrier {
                    .withoutCarrier
                } else if route == nil, isInside(entry.interface) {
                    .inside
                } else if ip.isLinkLocal {
                    ip.family == .ipv6 ? .zoned : .selfAssigned
                } else if route != nil {
                    .defaultRoute
                } else {
                    entry.isPointToPoint ? .tunnel : .connected
                }
            let rank = Rank(place: place, route: route ?? 0, isIPv6: ip.family == .ipv6, number: number)
            found.append((ip, entry.interface, rank))
        }
        return found.sorted { $0.rank < $1.rank }
    }

    /// True for the names that programs give to networks between this machine and its own containers and virtual
    /// machines. Not called for an interface with a default route, which leads to other machines whatever its name is.
    private static func isInside(_ name: String) -> Bool {
        for prefix in insidePrefixes where name.hasPrefix(prefix) {
            // Users name bridges br0 or br-lan; Docker's names have twelve hexadecimal digits after `br-`.
            guard prefix == "br-" else { return true }
            let rest = name.dropFirst(prefix.count)
            if rest.count == 12, rest.allSatisfy(\.isHexDigit) { return true }
        }
        return false
    }

    /// The prefixes of interface names of Docker, Podman, libvirt, LXC and Incus, VirtualBox, VMware, Kubernetes'
    /// networks, and Apple's own virtual machines.
    private static let insidePrefixes = [
        "docker", "br-", "veth", "podman", "cni", "flannel", "cali", "kube", "nerdctl", "virbr", "vnet", "lxc", "lxd",
        "incus", "vboxnet", "vmnet", "bridge100", "vmenet", "hassio",
    ]
}
