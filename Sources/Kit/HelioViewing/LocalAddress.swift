private import HelioCore
private import HelioLoop
private import NIOCore

/// This machine's address, as others on its network would write it.
package enum LocalAddress {
    /// The address that others most likely reach: one of IPv4 where there is one, else of IPv6. A link-local one where
    /// there is no other, and loopback last.
    package static var mostLikely: String {
        let addresses = addresses.filter { !$0.isUnspecified }
        return addresses.min { rank($0) < rank($1) }?.description ?? "127.0.0.1"
    }

    private static func rank(_ address: IPAddress) -> Int {
        let isIPv4 = address.family == .ipv4
        if address.isLoopback { return isIPv4 ? 4 : 5 }
        return (address.isLinkLocal ? 2 : 0) + (isIPv4 ? 0 : 1)
    }

    private static var addresses: [IPAddress] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { $0.address?.ipAddress.flatMap { IPAddress($0) } }
    }

    /// The wildcard address, to listen on every address of this machine.
    package static let every = DatagramSocket.takesBothFamilies ? "::" : "0.0.0.0"

    private static func isEvery(_ address: String) -> Bool { IPAddress(address)?.isUnspecified ?? false }

    /// The address that others use for a socket that listens at this one: the most likely one in place of the wildcard.
    package static func reachable(listeningAt address: String) -> String { isEvery(address) ? mostLikely : address }

    /// The number of the network interface with this address; `nil` where something listens on all of them.
    package static func interface(listeningAt address: String) -> Int? {
        let parts = address.split(separator: "%", maxSplits: 1)
        guard let wanted = parts.first.flatMap({ IPAddress($0) }), !wanted.isUnspecified else { return nil }
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.first { device in
            guard let own = device.address?.ipAddress.flatMap({ IPAddress($0) }) else { return false }
            if parts.count == 2, device.name != parts[1] { return false }
            // All of 127.0.0.0/8 is there, and one of it has a name.
            return own == wanted || wanted.isLoopback && own.isLoopback
        }?.interfaceIndex
    }

    /// The `HOST:PORT` of a listening socket, as it stands in a URL.
    package static func authority(listeningAt address: String, port: Int) -> String {
        Authority.text(reachable(listeningAt: address), port: port)
    }
}
