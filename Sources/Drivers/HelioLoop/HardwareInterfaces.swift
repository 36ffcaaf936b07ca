private import Foundation
package import HelioCore

/// The hardware addresses of this machine's network interfaces, by which it is woken while it sleeps.
package enum HardwareInterfaces {
    /// The folder in which Linux lists all interfaces.
    private static let folder = "/sys/class/net"
    /// The maximum number of interfaces that are looked at: machines with hundreds of containers have hundreds.
    private static let limit = 1024
    /// ARPHRD_ETHER of `linux/if_arp.h`: Ethernet, and Wi-Fi.
    private static let ethernet = "1"
    /// The longest file that is read, in bytes.
    private static let longestFile = 64

    /// Returns the addresses of the physical interfaces that are connected: wired ones first, as few others wake a
    /// machine, then those with a default route. Empty if there are none, and except on Linux.
    package static func addresses() -> [HardwareAddress] { addresses(in: folder, routes: DefaultRoutes.interfaces()) }

    /// - Parameters:
    ///   - folder: has a folder for each interface: with the files `type`, `operstate` and `address`, an entry `device`
    ///     if a device of the machine is behind it, and an entry `wireless` or `phy80211` for Wi-Fi.
    ///   - routes: the interfaces with a default route, best first.
    static func addresses(in folder: String, routes: [String]) -> [HardwareAddress] {
        let files = FileManager.default
        let names = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted().prefix(limit)
        var found: [(address: HardwareAddress, isWireless: Bool, route: Int)] = []
        for name in names {
            let place = "\(folder)/\(name)"
            // Bridges, tunnels and containers' interfaces have no device; their addresses wake nobody.
            guard files.fileExists(atPath: "\(place)/device"), read("\(place)/type") == ethernet,
                read("\(place)/operstate") == "up", let address = HardwareAddress(read("\(place)/address"))
            else { continue }
            let isWireless = ["wireless", "phy80211"].contains { files.fileExists(atPath: "\(place)/\($0)") }
            found.append((address, isWireless, routes.firstIndex(of: name) ?? routes.count))
        }
        return found.enumerated().sorted {
            let (one, other) = ($0.element, $1.element)
            return (one.isWireless ? 1 : 0, one.route, $0.offset) < (other.isWireless ? 1 : 0, other.route, $1.offset)
        }.map(\.element.address)
    }

    /// Returns a file's first line; empty if it can't be read.
    private static func read(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        defer { try? file.close() }
        let bytes = (try? file.read(upToCount: longestFile)).flatMap { $0 } ?? Data()
        return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }
}
