internal import HelioCore
private import HelioLoop
private import NIOCore

/// The addresses that this machine can be reached at.
enum HostAddresses {
    /// The most addresses to use: each is a socket, and a candidate for each peer.
    static let maximumCount = 16

    /// Lists the addresses in the system's order, without duplicates. Link-local addresses of IPv6 are left out:
    /// without their zone they lead nowhere, and a zone means nothing to the peer.
    static func all(includingLoopback: Bool) throws -> [IPAddress] {
        var found: [IPAddress] = []
        for device in try System.enumerateDevices() {
            guard let address = device.address.flatMap({ TransportAddress($0, .udp) }), !found.contains(address.ip),
                !address.ip.isUnspecified, address.family == .ipv4 || !address.ip.isLinkLocal
            else { continue }
            found.append(address.ip)
        }
        let further = found.filter { !$0.isLoopback }
        let loopback = further.isEmpty || includingLoopback ? found.filter(\.isLoopback) : []
        return Array((further + loopback).prefix(maximumCount))
    }
}
