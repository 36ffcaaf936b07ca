import Foundation

/// A port that is free on loopback, for UDP and TCP: for programs that can't be told to find one themselves. Somebody
/// may take it before they do: try again then.
package enum LoopbackPort {
    /// - Parameter ipv6: it has to be free on ::1 too. `nil` where there is none, or no IPv6.
    package static func find(ipv6: Bool = false) -> UInt16? {
        for _ in 0..<20 {
            let first = Probe(AF_INET, SOCK_DGRAM, 0)
            guard let port = first?.port else { return nil }
            var others = [Probe(AF_INET, SOCK_STREAM, port)]
            if ipv6 { others += [Probe(AF_INET6, SOCK_DGRAM, port), Probe(AF_INET6, SOCK_STREAM, port)] }
            if others.allSatisfy({ $0 != nil }) { return port }
        }
        return nil
    }

    /// Whether somebody takes connections there.
    package static func listens(_ port: UInt16, at address: String) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { _ = Foundation.close(descriptor) }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &target.sin_addr) == 1 else { return false }
        return withUnsafePointer(to: target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// A socket that holds a port.
    private final class Probe {
        private let descriptor: Int32
        let port: UInt16

        init?(_ family: Int32, _ type: __socket_type, _ port: UInt16) {
            let descriptor = socket(family, Int32(type.rawValue), 0)
            guard descriptor >= 0 else { return nil }
            var bound: UInt16 = 0
            let isBound: Bool
            if family == AF_INET {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(family)
                address.sin_port = port.bigEndian
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                isBound = Self.bind(descriptor, &address)
                bound = UInt16(bigEndian: address.sin_port)
            } else {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(family)
                address.sin6_port = port.bigEndian
                address.sin6_addr = in6addr_loopback
                isBound = Self.bind(descriptor, &address)
                bound = UInt16(bigEndian: address.sin6_port)
            }
            guard isBound else {
                _ = Foundation.close(descriptor)
                return nil
            }
            self.descriptor = descriptor
            self.port = bound
        }

        deinit { _ = Foundation.close(descriptor) }

        private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
            var length = socklen_t(MemoryLayout<Address>.size)
            return withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Foundation.bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
                }
            }
        }
    }
}
