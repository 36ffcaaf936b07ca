private import Foundation

/// The interfaces with a default route in the system's main routing table.
///
/// The main table is read, instead of asking the kernel for the route of a datagram: a VPN for all traffic adds routing
/// rules, or two routes of half the addresses each, but other machines on the network still reach this machine through
/// the interface below the VPN.
package enum DefaultRoutes {
    /// The longest table that is read, in bytes.
    private static let longestTable = 1 << 20

    /// The names of the interfaces with a default route, lowest metric first, IPv4 before IPv6; empty if there is no
    /// default route, or if the system has no routing table under `/proc/net`.
    package static func interfaces() -> [String] {
        var names: [String] = []
        for name in ofIPv4(read("/proc/net/route")) + ofIPv6(read("/proc/net/ipv6_route")) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    private static func read(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        defer { try? file.close() }
        return (try? file.read(upToCount: longestTable)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }

    /// RTF_UP and RTF_REJECT of `linux/route.h`.
    private static let isUp = 0x0001
    private static let isRejecting = 0x0200

    /// - Parameter table: `/proc/net/route`: a line of titles, then for each route the interface, destination and
    ///   gateway as hexadecimal numbers, flags, counts, the metric in decimal, and the mask.
    static func ofIPv4(_ table: String) -> [String] {
        var found: [(name: String, metric: Int)] = []
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000",
                let flags = Int(fields[3], radix: 16), flags & isUp != 0, flags & isRejecting == 0,
                let metric = Int(fields[6])
            else { continue }
            found.append((String(fields[0]), metric))
        }
        return sorted(found)
    }

    /// - Parameter table: `/proc/net/ipv6_route`: for each route the destination and its prefix length, the source and
    ///   its prefix length, gateway, metric, two counts and flags, all as hexadecimal numbers, and the interface.
    static func ofIPv6(_ table: String) -> [String] {
        var found: [(name: String, metric: Int)] = []
        for line in table.split(separator: "\n") {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), fields[1] == "00", fields[9] != "lo",
                let flags = Int(fields[8], radix: 16), flags & isUp != 0, flags & isRejecting == 0,
                let metric = Int(fields[5], radix: 16)
            else { continue }
            found.append((String(fields[9]), metric))
        }
        return sorted(found)
    }

    /// Sorts by metric, the lowest first; routes of equal metric keep the table's order.
    private static func sorted(_ found: [(name: String, metric: Int)]) -> [String] {
        found.enumerated().sorted { ($0.element.metric, $0.offset) < ($1.element.metric, $1.offset) }
            .map(\.element.name)
    }
}
