package import HelioCore

/// The order in which this machine's addresses are worth trying, for somebody on another machine.
package enum ReachableAddresses {
    /// All addresses that may be reached from elsewhere on the network, the likeliest first: those of the interface with
    /// the default route, then of others that are connected, then of tunnels, and behind them what only this machine's
    /// own containers and virtual machines see, and interfaces without a carrier. At one interface IPv4 comes first, as
    /// people can read and type it.
    ///
    /// Loopback is left out, and so are link-local addresses of IPv6, as their zone means nothing elsewhere.
    ///
    /// - Parameter routes: the interfaces with a default route, best first.
    package static func order(_ all: [InterfaceAddress], routes: [String]) -> [IPAddress] {
        ranked(all, routes).map(\.ip).filter { $0.family == .ipv4 || !$0.isLinkLocal }
    }

    /// The addresses to name to people: as `order`, without what only containers and virtual machines of this machine see,
    /// and without interfaces that have no carrier, where any other is left. A link-local address of IPv6 is named where
    /// there is nothing better: our own viewers try all of their zones. Of the many addresses of IPv6 that an interface may
    /// have one is named, as they lead to the same place.
    ///
    /// - Parameter limit: the most addresses.
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

    /// The addresses of this machine to name to people at this moment; empty where it is on no network.
    package static func named(limit: Int) -> [IPAddress] {
        named(InterfaceAddress.all(), routes: DefaultRoutes.interfaces(), limit: limit)
    }

    private enum Place: Int, Comparable {
        case defaultRoute
        case connected
        case tunnel
        /// Of an address that its interface gave itself, as nobody gave it one.
        case selfAssigned
        /// Of IPv6, and good on its own link alone.
        case zoned
        /// Only for containers and virtual machines of this machine.
        case inside
        case withoutCarrier

        static func < (one: Place, other: Place) -> Bool { one.rawValue < other.rawValue }
    }

    private struct Rank: Comparable {
        var place: Place
        /// Among interfaces with a default route, which is best.
        var route = 0
        var isIPv6: Bool
        /// Of all addresses, in the system's order.
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
    /// machines. One of them that has the default route is somebody's way out all the same.
    private static func isInside(_ name: String) -> Bool {
        for prefix in insidePrefixes where name.hasPrefix(prefix) {
            // br0 and br-lan are of people's own making; Docker's have twelve hexadecimal digits.
            guard prefix == "br-" else { return true }
            let rest = name.dropFirst(prefix.count)
            if rest.count == 12, rest.allSatisfy(\.isHexDigit) { return true }
        }
        return false
    }

    /// Docker, Podman, libvirt, LXC and Incus, VirtualBox, VMware, Kubernetes' networks, and Apple's own virtual machines.
    private static let insidePrefixes = [
        "docker", "br-", "veth", "podman", "cni", "flannel", "cali", "kube", "nerdctl", "virbr", "vnet", "lxc", "lxd",
        "incus", "vboxnet", "vmnet", "bridge100", "vmenet", "hassio",
    ]
}
