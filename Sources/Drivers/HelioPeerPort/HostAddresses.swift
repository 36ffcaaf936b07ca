internal import HelioCore
private import HelioLoop

/// The addresses at which this machine can be reached.
enum HostAddresses {
    /// The maximum number of addresses to use: each is a socket, and a candidate for each peer.
    static let maximumCount = 16

    /// Lists at most `maximumCount` addresses, the likeliest to be reachable first (`ReachableAddresses`), since a
    /// machine with many containers or virtual machines has more addresses. Link-local IPv6 addresses are left out:
    /// they are not usable without their zone, which means nothing to the peer. At most two loopback addresses are
    /// added, on request or if there are no others.
    static func all(includingLoopback: Bool) throws -> [IPAddress] {
        let all = InterfaceAddress.all()
        let further = ReachableAddresses.order(all, routes: DefaultRoutes.interfaces())
        var loopback: [IPAddress] = []
        if further.isEmpty || includingLoopback {
            for ip in all.map(\.ip) where ip.isLoopback && !loopback.contains(ip) { loopback.append(ip) }
        }
        return Array(further.prefix(maximumCount - loopback.prefix(2).count) + loopback.prefix(2))
    }
}
