private import HelioCore
private import NIOCore

/// This machine's address, as others on its network would write it.
enum LocalAddress {
    /// The first IPv4 address that is not the machine's own loopback; loopback where there is no other.
    static var mostLikely: String {
        let devices = (try? System.enumerateDevices()) ?? []
        let addresses = devices.compactMap { device -> String? in
            guard case .v4 = device.address else { return nil }
            return device.address?.ipAddress
        }
        return addresses.first { !$0.hasPrefix("127.") && !$0.hasPrefix("169.254.") } ?? "127.0.0.1"
    }

    /// The number of the network interface with this address; `nil` where something listens on all of them.
    static func interface(listeningAt address: String) -> Int? {
        let devices = (try? System.enumerateDevices()) ?? []
        // All of 127.0.0.0/8 is there, and one of it has a name.
        let isLoopback = Loopback.holds(address)
        return devices.first { device in
            guard let own = device.address?.ipAddress else { return false }
            return own == address || isLoopback && Loopback.holds(own)
        }?.interfaceIndex
    }

    /// `HOST:PORT` of something that listens, as it stands in a URL.
    static func authority(listeningAt address: String, port: Int) -> String {
        Authority.text(address == "0.0.0.0" || address == "::" ? mostLikely : address, port: port)
    }
}
