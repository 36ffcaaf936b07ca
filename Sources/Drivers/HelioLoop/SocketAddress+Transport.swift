package import HelioCore
package import NIOCore

extension TransportAddress {
    /// Makes the transport address; `nil` if the socket's address is not an IP address. An IPv4-mapped address, as a
    /// dual-stack socket reports it, becomes an IPv4 address; the zone of a link-local address is dropped.
    package init?(_ address: SocketAddress, _ transport: TransportProtocol) {
        let family = address.protocol
        guard family == .inet || family == .inet6 else { return nil }
        let parsed = address.withSockAddr { pointer, size -> (IPAddress, UInt16)? in
            let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(pointer), byteCount: size)
            guard let port = bytes.uint16(at: 2) else { return nil }
            if family == .inet { return bytes.uint32(at: 4).map { (.v4($0), port) } }
            guard let high = bytes.uint64(at: 8), let low = bytes.uint64(at: 16) else { return nil }
            return (.v6(high: high, low: low), port)
        }
        guard let parsed else { return nil }
        self.init(parsed.0.unmapped, port: parsed.1, transport: transport)
    }

    package var socketAddress: SocketAddress {
        guard let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: ip.bytes), port: Int(port)) else {
            preconditionFailure("an address of IP has 4 or 16 bytes")
        }
        return address
    }
}
