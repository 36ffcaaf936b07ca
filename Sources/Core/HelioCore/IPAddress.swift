/// An IP address without a port. Zones (`fe80::1%eth0`) are not part of it; the driver handles them.
package enum IPAddress: Hashable, Sendable {
    /// An IPv4 address, with the first byte as the most significant byte.
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64)

    package var family: AddressFamily {
        switch self {
        case .v4: .ipv4
        case .v6: .ipv6
        }
    }

    /// True for 169.254.0.0/16 and fe80::/10, which are valid only on the link.
    package var isLinkLocal: Bool {
        switch self {
        case .v4(let bits): bits >> 16 == 0xA9FE
        case .v6(let high, _): high >> 54 == 0xFE80 >> 6
        }
    }

    package var isLoopback: Bool {
        switch self {
        case .v4(let bits): bits >> 24 == 127
        case .v6(let high, let low): high == 0 && low == 1
        }
    }

    /// True for 0.0.0.0 and ::, which identify no host.
    package var isUnspecified: Bool {
        switch self {
        case .v4(let bits): bits == 0
        case .v6(let high, let low): high == 0 && low == 0
        }
    }

    /// The first 64 bits of the addresses that networks discard (RFC 6666).
    static let discardPrefix: UInt64 = 0x0100 << 48

    /// True for 100::/64, whose addresses belong to no machine; virtual paths have them.
    package var isDiscarded: Bool {
        if case .v6(Self.discardPrefix, _) = self { true } else { false }
    }

    /// True for a public address; false for loopback, private (RFC 1918, RFC 4193, RFC 6598), link-local, multicast and
    /// reserved addresses (RFC 6890). An IPv6 address that embeds an IPv4 address (mapped, NAT64 or 6to4) counts as
    /// that IPv4 address.
    package var isGlobal: Bool {
        switch unmapped {
        case .v4(let bits):
            let apart: [(UInt32, UInt32)] = [
                (0, 8), (10 << 24, 8), (0x6440_0000, 10), (127 << 24, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
                (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
            ]
            return !apart.contains { prefix, length in bits >> (32 - length) == prefix >> (32 - length) }
        case .v6(0x64_FF9B_0000_0000, let low) where low >> 32 == 0:
            return IPAddress.v4(UInt32(truncatingIfNeeded: low)).isGlobal
        // 6to4 (RFC 3056).
        case .v6(let high, _) where high >> 48 == 0x2002:
            return IPAddress.v4(UInt32(truncatingIfNeeded: high >> 16)).isGlobal
        // Global unicast is 2000::/3 (RFC 4291 section 2.4).
        case .v6(let high, _): return high >> 61 == 1
        }
    }

    /// The IPv4 address within an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), which dual-stack sockets return;
    /// any other address is unchanged.
    package var unmapped: IPAddress {
        if case .v6(0, let low) = self, low >> 32 == 0xFFFF { return .v4(UInt32(truncatingIfNeeded: low)) }
        return self
    }

    /// The IPv4-mapped IPv6 address of an IPv4 address, which dual-stack sockets need; an IPv6 address is unchanged.
    package var mapped: IPAddress {
        if case .v4(let bits) = self { return .v6(high: 0, low: 0xFFFF_0000_0000 | UInt64(bits)) }
        return self
    }

    /// The address that rate limits apply to: an IPv4 address, or the /64 of an IPv6 network, in which each machine may
    /// use any number of addresses.
    package var origin: IPAddress {
        switch unmapped {
        case .v6(let high, _): .v6(high: high, low: 0)
        case let v4: v4
        }
    }

    /// The address in network byte order: 4 or 16 bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .v4(let bits): bytes.append(bigEndian: bits)
        case .v6(let high, let low):
            bytes.append(bigEndian: high)
            bytes.append(bigEndian: low)
        }
        return bytes
    }
}

package enum AddressFamily: Hashable, Sendable, CaseIterable {
    case ipv4
    case ipv6
}
