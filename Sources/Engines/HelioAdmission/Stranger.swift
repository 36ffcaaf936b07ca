package import HelioCore

/// A connection whose peer has not shown yet that it may be here, and who of them makes room where there are too many.
///
/// Connections alone keep nobody out: who opens many pushes out his own, those who have done least and are oldest go
/// first, and one whose people are comparing codes stays.
package struct Stranger: Sendable {
    /// How far an admission has come: the least goes first.
    package enum Progress: Sendable, Comparable {
        /// It has connected, and not finished TLS.
        case silent
        case connected
        /// A proof is awaited.
        case challenged
        /// Never makes room. There is one at a time.
        case pairing
    }

    package var id: ConnectionID
    /// Strangers of one are counted together (`IPAddress.origin`); `nil` for who has no address of IP.
    package var origin: IPAddress?
    package var progress: Progress

    package init(id: ConnectionID, origin: IPAddress?, progress: Progress) {
        self.id = id
        self.origin = origin
        self.progress = progress
    }

    /// One origin never has more of them than this.
    package static let mostOfOrigin = 8

    /// Who makes room for a newcomer, if anybody has to.
    ///
    /// - Parameter isFull: there is no room for one more of whatever origin.
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
