package import HelioCore

/// A connection whose peer has not been admitted yet. `toMakeRoom` chooses the one to evict when there are too many.
///
/// An origin that opens many connections can't keep others out: its own connections are evicted, the least advanced
/// first, and of those the oldest. A connection whose users are comparing codes is never evicted.
package struct Stranger: Sendable {
    /// The progress of an admission: the least is evicted first.
    package enum Progress: Sendable, Comparable {
        /// Connected, without a finished TLS handshake.
        case silent
        case connected
        /// A proof is awaited.
        case challenged
        /// The users are comparing codes. Never evicted; there is one at a time.
        case pairing
    }

    package var id: ConnectionID
    /// The origin by which strangers are counted (`IPAddress.origin`); `nil` for one without an IP address.
    package var origin: IPAddress?
    package var progress: Progress

    package init(id: ConnectionID, origin: IPAddress?, progress: Progress) {
        self.id = id
        self.origin = origin
        self.progress = progress
    }

    /// The most strangers from one origin; a further one evicts one of them.
    package static let mostOfOrigin = 8

    /// Chooses the stranger to evict for a newcomer; `nil` if none has to be.
    ///
    /// - Parameter isFull: true if there is no room for one more, whatever its origin.
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
