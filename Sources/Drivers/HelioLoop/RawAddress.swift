internal import HelioCore
private import NIOCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A socket address in the layout of `sockaddr`, which receives a datagram's sender without an allocation.
struct RawAddress: Sendable {
    /// Room for a `sockaddr_in6`; unused bytes are 0.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var length: socklen_t = 0

    /// Makes an empty address, for `receive` to fill in.
    init() {}

    /// - Parameter address: a numeric address of IPv4 or IPv6; the result is `nil` for anything else.
    init?(address: String, port: Int) {
        guard let parsed = try? SocketAddress(ipAddress: address, port: port) else { return nil }
        self.init()
        length = parsed.withSockAddr { source, size in
            withUnsafeMutableBytes(of: &words) { target in
                target.copyMemory(
                    from: UnsafeRawBufferPointer(start: source, count: min(size, target.count)))
            }
            return socklen_t(size)
        }
    }

    /// Makes the socket address of a path, for a socket of this family: for an IPv6 socket, an IPv4 address is mapped.
    /// `nil` for an IPv6 address and an IPv4 socket.
    init?(_ path: PathID, family: Int32) {
        self.init()
        let ip = family == AF_INET6 ? path.ip.mapped : path.ip
        guard family == (ip.family == .ipv6 ? AF_INET6 : AF_INET) else { return nil }
        length = socklen_t(ip.family == .ipv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &words) { bytes in
            #if canImport(Darwin)
            bytes[0] = UInt8(length)
            bytes[1] = UInt8(family)
            #else
            bytes.storeBytes(of: UInt16(family), as: UInt16.self)
            #endif
            bytes.storeBytes(of: path.port.bigEndian, toByteOffset: 2, as: UInt16.self)
            switch ip {
            case .v4(let bits): bytes.storeBytes(of: bits.bigEndian, toByteOffset: 4, as: UInt32.self)
            case .v6(let high, let low):
                bytes.storeBytes(of: high.bigEndian, toByteOffset: 8, as: UInt64.self)
                bytes.storeBytes(of: low.bigEndian, toByteOffset: 16, as: UInt64.self)
                bytes.storeBytes(of: path.zone, toByteOffset: 24, as: UInt32.self)
            }
        }
    }

    /// The address as a `PathID` (IP address, port and IPv6 zone); `nil` if the family is neither IPv4 nor IPv6.
    var path: PathID? {
        withUnsafeBytes(of: words) { bytes in
            switch family {
            case AF_INET:
                let bits = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                return PathID(.v4(UInt32(bigEndian: bits)), port: port)
            case AF_INET6:
                let ip = IPAddress.v6(high: UInt64(bigEndian: words.1), low: UInt64(bigEndian: words.2))
                return PathID(ip, port: port, zone: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
            default: return nil
            }
        }
    }

    /// The port in host byte order. It is at the same offset in both families.
    var port: UInt16 { UInt16(truncatingIfNeeded: words.0.littleEndian >> 16).byteSwapped }

    /// The address family, read by offset, because the module that declares `sockaddr`'s members depends on the other
    /// imports and their order.
    var family: Int32 {
        #if canImport(Darwin)
        Int32(truncatingIfNeeded: words.0.littleEndian >> 8 & 0xFF)
        #else
        Int32(UInt16(truncatingIfNeeded: words.0))
        #endif
    }

    mutating func withSocketAddress<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
    ) -> Result {
        var length = self.length == 0 ? socklen_t(MemoryLayout.size(ofValue: words)) : self.length
        defer { self.length = length }
        return withUnsafeMutableBytes(of: &words) { bytes in
            body(bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
    }
}
