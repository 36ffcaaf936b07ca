private import NIOCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A socket's address as the system has it, so that a datagram's sender costs no allocation.
struct RawAddress: Hashable, Sendable {
    /// Room for a `sockaddr_in6`; what is not used is 0.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var length: socklen_t = 0

    /// Filled in by `receive`.
    init() {}

    /// - Parameter address: numeric, IPv4 or IPv6; `nil` for anything else.
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

    /// In host byte order. It is at the same place in both families.
    var port: UInt16 { UInt16(truncatingIfNeeded: words.0.littleEndian >> 16).byteSwapped }

    /// Read by its place: which module `sockaddr`'s members are of depends on what else is imported, and in which order.
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

    static func == (a: RawAddress, b: RawAddress) -> Bool { a.words == b.words }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
