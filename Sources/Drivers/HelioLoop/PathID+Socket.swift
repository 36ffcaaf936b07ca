package import HelioCore
package import NIOCore

extension PathID {
    /// Makes a `PathID` (IP address, port and IPv6 zone) of a socket address; `nil` if that is not an IP address.
    package init?(_ address: SocketAddress) {
        guard let known = TransportAddress(address, .udp) else { return nil }
        var zone: UInt32 = 0
        if case .v6(let address) = address {
            zone = withUnsafeBytes(of: address.address) {
                $0.loadUnaligned(fromByteOffset: Self.zoneOffset, as: UInt32.self)
            }
        }
        self.init(known.ip, port: known.port, zone: zone)
    }

    /// The offset of the zone in the system's `sockaddr_in6`. The field is accessed by offset, because the module that
    /// declares the structure's members depends on the other imports.
    fileprivate static let zoneOffset = 24

    /// The path to another port of the same host.
    package func with(port: UInt16) -> PathID { PathID(ip, port: port, zone: zone) }
}

extension SocketAddress {
    /// Makes the socket address of a path, for a socket of this family: for an IPv6 socket, an IPv4 address is mapped.
    /// `nil` for an IPv6 address and an IPv4 socket.
    package init?(_ path: PathID, family: AddressFamily) {
        let ip = family == .ipv6 ? path.ip.mapped : path.ip
        guard ip.family == family else { return nil }
        self = TransportAddress(ip, port: path.port).socketAddress
        guard path.zone != 0, case .v6(let address) = self else { return }
        var raw = address.address
        withUnsafeMutableBytes(of: &raw) {
            $0.storeBytes(of: path.zone, toByteOffset: PathID.zoneOffset, as: UInt32.self)
        }
        self.init(raw)
    }
}
