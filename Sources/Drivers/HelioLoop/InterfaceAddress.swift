private import CInterfaces
package import HelioCore

/// An address of this machine, with properties of its interface.
package struct InterfaceAddress: Hashable, Sendable {
    /// The interface's name, such as `eth0`.
    package var interface: String
    package var ip: IPAddress
    /// True if the interface is switched on and connected: to a switch, an access point, or a tunnel's other end.
    package var hasCarrier: Bool
    /// True for a link to one other machine, such as a VPN tunnel.
    package var isPointToPoint: Bool
    /// The address of all machines on the interface's network; `nil` if the network has none, as with IPv6.
    package var broadcast: IPAddress?

    package init(
        _ interface: String, _ ip: IPAddress, hasCarrier: Bool = true, isPointToPoint: Bool = false,
        broadcast: IPAddress? = nil
    ) {
        self.interface = interface
        self.ip = ip
        self.hasCarrier = hasCarrier
        self.isPointToPoint = isPointToPoint
        self.broadcast = broadcast
    }

    /// The maximum number of addresses that are listed: machines with hundreds of containers have hundreds.
    private static let limit = 1024

    /// Lists this machine's addresses, in the system's order; empty if the system does not list them.
    package static func all() -> [InterfaceAddress] {
        var list = [helio_interface_address](repeating: helio_interface_address(), count: limit)
        let count = Int(helio_interface_addresses(&list, Int32(limit)))
        return list.prefix(count).compactMap { entry -> InterfaceAddress? in
            let bytes = withUnsafeBytes(of: entry.bytes) { Array($0.prefix(Int(entry.length))) }
            guard let ip = IPAddress(networkOrder: bytes) else { return nil }
            let name = withUnsafeBytes(of: entry.name) { Array($0.prefix { $0 != 0 }) }
            let broadcast = withUnsafeBytes(of: entry.broadcast) { Array($0) }
            return InterfaceAddress(
                String(decoding: name, as: UTF8.self), ip, hasCarrier: entry.is_up != 0 && entry.has_carrier != 0,
                isPointToPoint: entry.is_point_to_point != 0,
                broadcast: entry.has_broadcast != 0 ? IPAddress(networkOrder: broadcast) : nil)
        }
    }
}

extension IPAddress {
    /// - Parameter bytes: 4 or 16 bytes, in network order; the result is `nil` for any other number.
    fileprivate init?(networkOrder bytes: [UInt8]) {
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self = .v4(UInt32(truncatingIfNeeded: number(0..<4)))
        case 16: self = IPAddress.v6(high: number(0..<8), low: number(8..<16)).unmapped
        default: return nil
        }
    }
}
