import HelioBroadcast

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Resolves a host's addresses with the system's resolver.
enum SocketAddresses {
    /// Returns a host's addresses, each as the bytes of a `sockaddr`; empty for an unknown name. Blocks during the
    /// lookup.
    ///
    /// - Parameter host: empty for all addresses of this machine.
    static func resolve(_ host: String, port: UInt16, isPassive: Bool) -> [[UInt8]] {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICSERV | (isPassive ? AI_PASSIVE : 0)
        // An empty host means all IPv4 addresses of this machine, as every machine has IPv4.
        hints.ai_family = host.isEmpty ? AF_INET : AF_UNSPEC
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        #else
        hints.ai_socktype = SOCK_DGRAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host.isEmpty ? nil : host, "\(port)", &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [[UInt8]] = []
        var next = first
        while let entry = next?.pointee, found.count < SRTBroadcast.mostAddresses {
            if entry.ai_family == AF_INET || entry.ai_family == AF_INET6, let address = entry.ai_addr {
                found.append([UInt8](UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))))
            }
            next = entry.ai_next
        }
        return found
    }
}
