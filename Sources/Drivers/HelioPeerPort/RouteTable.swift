internal import HelioCore

/// Which peer is where: for all that does not say whose it is, as DTLS and SRTP don't.
///
/// A peer is somewhere when its engine has answered an authentic check from there, has had such an answer from there, or
/// sends there what is not STUN. Who is there keeps the place while checks show that it still is: another peer's engine
/// can be made to send there, by candidates that lie or by a check whose sender is forged, and must not take what comes
/// from there.
struct RouteTable {
    struct Way: Hashable {
        var base: TransportAddress
        var remote: TransportAddress
    }

    private struct Holder {
        var peer: UInt64
        var shownAt: Instant
    }

    /// Longer than two checks of consent are apart (RFC 7675).
    static let tenure = Duration.seconds(13)
    /// How late `shownAt` may be.
    private static let grain = Duration.milliseconds(500)
    /// Of one peer; the oldest goes.
    static let maximumPerPeer = 16

    private var holders: [Way: Holder] = [:]
    private var ways: [UInt64: [Way]] = [:]

    subscript(_ way: Way) -> UInt64? { holders[way]?.peer }

    /// The peer is there, or seems to be.
    ///
    /// - Returns: `false` where another is.
    mutating func show(_ peer: UInt64, at way: Way, now: Instant) -> Bool {
        if let holder = holders[way] {
            if holder.peer == peer {
                // Every packet shows it, and to write costs more than to read.
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
