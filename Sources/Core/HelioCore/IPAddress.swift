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
