/// An address of IP without a port. Zones (`fe80::1%eth0`) are a driver's business and not part of it.
package enum IPAddress: Hashable, Sendable {
    /// The first of the four bytes is the most significant one.
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64)

    package var family: AddressFamily {
        switch self {
        case .v4: .ipv4
        case .v6: .ipv6
        }
    }

    /// 169.254.0.0/16 or fe80::/10: reaches no further than the link.
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

    /// 0.0.0.0 or ::, which name nobody.
    package var isUnspecified: Bool {
        switch self {
        case .v4(let bits): bits == 0
        case .v6(let high, let low): high == 0 && low == 0
        }
    }

    /// An address of IPv4 as itself where it comes dressed as one of IPv6 (RFC 4291 section 2.5.5.2), as it does by a
    /// socket that takes both.
    package var unmapped: IPAddress {
        if case .v6(0, let low) = self, low >> 32 == 0xFFFF { return .v4(UInt32(truncatingIfNeeded: low)) }
        return self
    }

    /// An address of IPv4 as a socket of IPv6 that takes both has it.
    package var mapped: IPAddress {
        if case .v4(let bits) = self { return .v6(high: 0, low: 0xFFFF_0000_0000 | UInt64(bits)) }
        return self
    }

    /// Who is counted as one where strangers are limited: an address of IPv4, or the /64 of an IPv6 network, in which
    /// each machine may take as many addresses as it likes.
    package var origin: IPAddress {
        switch unmapped {
        case .v6(let high, _): .v6(high: high, low: 0)
        case let v4: v4
        }
    }

    /// 4 or 16 bytes, as they stand in packets.
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

/// The two kinds of IP.
package enum AddressFamily: Hashable, Sendable, CaseIterable {
    case ipv4
    case ipv6
}
