private import HelioCore
private import NIOCore

/// Finds the network interfaces on which to try a link-local address.
enum LinkLocalZone {
    /// Returns an IPv6 link-local address with the name of each network interface of this machine that has an IPv6
    /// link-local address: `fe80::1` becomes `fe80::1%eth0` and `fe80::1%wlan0`. Any other address or name, and an
    /// address that names its interface, is returned unchanged.
    static func places(of address: String) -> [String] {
        guard let ip = IPAddress(address), ip.family == .ipv6, ip.isLinkLocal else { return [address] }
        var links: [String] = []
        for device in (try? System.enumerateDevices()) ?? [] where !links.contains(device.name) {
            let own = device.address?.ipAddress.flatMap { IPAddress($0) }
            if let own, own.family == .ipv6, own.isLinkLocal { links.append(device.name) }
        }
        return links.isEmpty ? [address] : links.map { "\(address)%\($0)" }
    }
}
