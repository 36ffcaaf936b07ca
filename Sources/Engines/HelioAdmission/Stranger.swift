package import HelioCore

/// A connection whose peer has not been admitted yet. `toMakeRoom` selects the stranger to evict if there are too many.
///
/// An origin (an IPv4 address or IPv6 /64) with many connections can't keep others out, as its own connections are
/// evicted: those with the least progress first, and the oldest among them. A connection whose users are comparing
/// codes is never evicted.
package struct Stranger: Sendable {
    /// The progress of an admission. Strangers with the least progress are evicted first.
    package enum Progress: Sendable, Comparable {
        /// Connected; the TLS handshake is not complete.
        case silent
        case connected
        /// A challenge was sent, and the viewer's proof is awaited.
        case challenged
        /// The users are comparing codes. At most one stranger is in this state, and it is never evicted.
        case pairing
    }

    package var id: ConnectionID
    /// The origin by which strangers are counted (`IPAddress.origin`); `nil` for a stranger without an IP address.
    package var origin: IPAddress?
    package var progress: Progress

    package init(id: ConnectionID, origin: IPAddress?, progress: Progress) {
        self.id = id
        self.origin = origin
        self.progress = progress
    }

    /// The maximum number of strangers from one origin; a further stranger evicts one of them.
    package static let mostOfOrigin = 8

    /// Selects the stranger to evict for a new connection; `nil` if none has to be evicted.
    ///
    /// - Parameter isFull: true if the total number of connections is at its limit.
    package static func toMakeRoom(in all: [Stranger], for origin: IPAddress?, isFull: Bool) -> Stranger? {
        let own = all.filter { $0.origin == origin }
        if own.count >= mostOfOrigin, let first = own.weakest { return first }
        guard isFull else { return nil }
        let crowds = Dictionary(grouping: all, by: \.origin).values
        let weakest = crowds.compactMap { crowd in crowd.weakest.map { (crowd.count, $0) } }
        return weakest.min { $0.0 != $1.0 ? $0.0 > $1.0 : $0.1.isWeaker(than: $1.1) }?.1
    }

    fileprivate func isWeaker(than other: Stranger) -> Bool {
        progress != other.progress ? progress < other.progress : id.rawValue < other.id.rawValue
    }
}

extension [Stranger] {
    fileprivate var weakest: Stranger? {
        filter { $0.progress != .pairing }.min { $0.isWeaker(than: $1) }
    }
}
