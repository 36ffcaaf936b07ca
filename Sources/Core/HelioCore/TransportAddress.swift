/// A transport address: an IP address, a port, and the port's protocol.
package struct TransportAddress: Hashable, Sendable, CustomStringConvertible {
    package var ip: IPAddress
    package var port: UInt16
    /// The transport protocol. A UDP and a TCP socket with the same numbers are different addresses (RFC 8445 section
    /// 4).
    package var transport: TransportProtocol

    package init(_ ip: IPAddress, port: UInt16, transport: TransportProtocol = .udp) {
        self.ip = ip
        self.port = port
        self.transport = transport
    }

    package var family: AddressFamily { ip.family }

    /// The address as text: `192.0.2.1:3478`, `[2001:db8::1]:3478`, `tcp 192.0.2.1:3478`.
    package var description: String {
        let prefix = transport == .tcp ? "tcp " : ""
        return switch ip {
        case .v4: "\(prefix)\(ip):\(port)"
        case .v6: "\(prefix)[\(ip)]:\(port)"
        }
    }
}

package enum TransportProtocol: Hashable, Sendable, CaseIterable {
    case udp
    case tcp
}

/// A datagram with the path on which to send it.
package struct AddressedDatagram: Sendable {
    package var bytes: [UInt8]
    package var path: PathID

    package init(bytes: [UInt8], path: PathID) {
        self.bytes = bytes
        self.path = path
    }
}
