private import HelioCore
private import HelioLoop
private import NIOCore

/// This machine's addresses, as others on its network would write them.
package enum LocalAddress {
    /// The most addresses that a link or a person is given: more make a link that nobody can handle.
    private static let limit = 4

    /// The addresses that others may reach this machine by, the likeliest first (`ReachableAddresses`); loopback alone
    /// where it is on no network.
    package static var likely: [String] {
        let found = ReachableAddresses.named(limit: limit).map(\.description)
        return found.isEmpty ? ["127.0.0.1"] : found
    }

    /// The wildcard address, to listen on every address of this machine.
    package static let every = DatagramSocket.takesBothFamilies ? "::" : "0.0.0.0"

    private static func isEvery(_ address: String) -> Bool { IPAddress(address)?.isUnspecified ?? false }

    /// The addresses that others use for a socket that listens at this one, the likeliest first: the machine's own in
    /// place of the wildcard, of IPv4 alone for a socket that takes no other.
    package static func reachable(listeningAt address: String) -> [String] {
        guard isEvery(address) else { return [address] }
        guard IPAddress(address)?.family == .ipv4 else { return likely }
        let found = likely.filter { IPAddress($0)?.family == .ipv4 }
        return found.isEmpty ? ["127.0.0.1"] : found
    }

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

    /// The `HOST:PORT` of a listening socket at its likeliest address, as it stands in a URL.
    package static func authority(listeningAt address: String, port: Int) -> String {
        Authority.text(reachable(listeningAt: address)[0], port: port)
    }
}
