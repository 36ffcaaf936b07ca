internal import HelioCore

/// The routes from remote addresses to peers, for packets that don't name their peer, such as DTLS and SRTP.
///
/// A peer is verified at an address once its engine has answered an authenticated check from the address, has received
/// an authenticated answer from it, or sends it packets other than STUN. The peer keeps the address while checks renew
/// it. Forged candidates, or a check with a forged sender, can make another peer's engine send to the address, but that
/// other peer must not receive packets from it.
struct RouteTable {
    struct Way: Hashable {
        var base: TransportAddress
        var remote: TransportAddress
    }

    private struct Holder {
        var peer: UInt64
        var shownAt: Instant
    }

    /// The time for which a peer keeps an address: longer than the interval of consent checks (RFC 7675).
    static let tenure = Duration.seconds(13)
    /// The longest time by which `shownAt` may be out of date.
    private static let grain = Duration.milliseconds(500)
    /// The maximum number of addresses of one peer; the oldest is removed.
    static let maximumPerPeer = 16

    private var holders: [Way: Holder] = [:]
    private var ways: [UInt64: [Way]] = [:]

    subscript(_ way: Way) -> UInt64? { holders[way]?.peer }

    /// Records that a peer uses an address.
    ///
    /// - Returns: `false` if another peer keeps the address.
    mutating func show(_ peer: UInt64, at way: Way, now: Instant) -> Bool {
        if let holder = holders[way] {
            if holder.peer == peer {
                // The time is rarely updated: this code runs for every packet, and a write to the dictionary costs more
                // than a read.
                if now >= holder.shownAt + Self.grain { holders[way]?.shownAt = now }
                return true
            }
            guard now >= holder.shownAt + Self.tenure else { return false }
            ways[holder.peer]?.removeAll { $0 == way }
        }
        holders[way] = Holder(peer: peer, shownAt: now)
        ways[peer, default: []].append(way)
        if let all = ways[peer], all.count > Self.maximumPerPeer {
            holders[all[0]] = nil
            ways[peer]?.removeFirst()
        }
        return true
    }

    mutating func remove(_ way: Way) {
        guard let holder = holders.removeValue(forKey: way) else { return }
        ways[holder.peer]?.removeAll { $0 == way }
    }

    mutating func removeAll(of peer: UInt64) {
        for way in ways.removeValue(forKey: peer) ?? [] { holders[way] = nil }
    }
}
