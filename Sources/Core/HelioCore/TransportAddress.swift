/// An IP address and a port: where datagrams come from and go to.
package struct TransportAddress: Hashable, Sendable, CustomStringConvertible {
    package var ip: IPAddress
    package var port: UInt16

    package init(_ ip: IPAddress, port: UInt16) {
        self.ip = ip
        self.port = port
    }

    package var family: AddressFamily { ip.family }

    /// `192.0.2.1:3478`, `[2001:db8::1]:3478`.
    package var description: String {
        switch ip {
        case .v4: "\(ip):\(port)"
        case .v6: "[\(ip)]:\(port)"
        }
    }
}
