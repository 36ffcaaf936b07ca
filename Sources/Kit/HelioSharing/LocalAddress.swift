private import HelioCore
private import HelioLoop
private import NIOCore

/// This machine's addresses, in the form in which other machines on its network would use them.
package enum LocalAddress {
    /// The maximum number of addresses in a link or a message: more make a link too long to handle.
    private static let limit = 4

    /// The addresses at which other machines may reach this one, the likeliest first (`ReachableAddresses`); loopback
    /// alone if it is on no network.
    package static var likely: [String] {
        let found = ReachableAddresses.named(limit: limit).map(\.description)
        return found.isEmpty ? ["127.0.0.1"] : found
    }

    /// The wildcard address, to listen on every address of this machine.
    package static let every = DatagramSocket.takesBothFamilies ? "::" : "0.0.0.0"

    private static func isEvery(_ address: String) -> Bool { IPAddress(address)?.isUnspecified ?? false }

    /// The addresses at which other machines reach a socket that listens at this address, the likeliest first. The
    /// wildcard address is replaced by the machine's own addresses, IPv4 alone for an IPv4 wildcard.
    package static func reachable(listeningAt address: String) -> [String] {
        guard isEvery(address) else { return [address] }
        guard IPAddress(address)?.family == .ipv4 else { return likely }
        let found = likely.filter { IPAddress($0)?.family == .ipv4 }
        return found.isEmpty ? ["127.0.0.1"] : found
    }

    /// The index of the network interface with this address; `nil` for the wildcard address.
    package static func interface(listeningAt address: String) -> Int? {
        let parts = address.split(separator: "%", maxSplits: 1)
        guard let wanted = parts.first.flatMap({ IPAddress($0) }), !wanted.isUnspecified else { return nil }
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.first { device in
            guard let own = device.address?.ipAddress.flatMap({ IPAddress($0) }) else { return false }
            if parts.count == 2, device.name != parts[1] { return false }
            // Every address in 127.0.0.0/8 is loopback, but only one of them is listed.
            return own == wanted || wanted.isLoopback && own.isLoopback
        }?.interfaceIndex
    }

    /// The `HOST:PORT` of a listening socket at its likeliest address, in the form used in a URL.
    package static func authority(listeningAt address: String, port: Int) -> String {
        Authority.text(reachable(listeningAt: address)[0], port: port)
    }
}
