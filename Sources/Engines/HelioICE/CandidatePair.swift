import HelioCore

/// A candidate pair to be checked: from a local base to a remote candidate (RFC 8445 section 6.1.2).
struct CandidatePair {
    enum State: Hashable {
        /// Waits for the check of another pair with the same foundation.
        case frozen
        case waiting
        case inProgress
        case succeeded
        case failed
    }

    let id: Int
    /// The local candidate. An active TCP candidate is replaced by one with the connection's local address once that
    /// connection is open.
    var local: LocalCandidate
    var remote: RemoteCandidate
    var state: State
    var priority: UInt64
    /// True once the controlling peer has nominated this pair, so that it is selected once our own check has succeeded.
    var isNominatedByPeer = false
    /// True if the peer has switched from the selected pair to this one, so that it is selected regardless of priority.
    var isRenewed = false
    /// The times of the peer's last new checks of the pair: with a nomination (`nominatedAt`), without (`checkedAt`).
    var nominatedAt: Instant?
    var checkedAt: Instant?
    /// The time limit for opening the pair's TCP connection; `nil` if none is being opened.
    var connectsUntil: Instant?
    /// The time of the last answer to one of our checks of the pair.
    var provenAt: Instant?
    /// The round-trip time of the pair's last answered check.
    var roundTrip: Duration?
    /// The time at which our latest check of the pair was first sent.
    var askedAt: Instant?
    /// True if the pair has succeeded once, but a later check was not answered.
    var isSilent = false

    /// Discards the peer's nominations so far, which no longer apply.
    mutating func forgetNomination() {
        (isNominatedByPeer, isRenewed, nominatedAt, checkedAt) = (false, false, nil, nil)
    }

    var foundation: String { "\(local.foundation):\(remote.foundation)" }
    /// True while the pair is frozen, or a check of it is queued or in flight.
    var isPending: Bool { state == .frozen || state == .waiting || state == .inProgress }

    /// The pair's priority (RFC 8445 section 6.1.2.3): the same at both ends.
    static func priority(local: UInt32, remote: UInt32, isControlling: Bool) -> UInt64 {
        let (controlling, controlled) = isControlling ? (local, remote) : (remote, local)
        return (UInt64(min(controlling, controlled)) << 32) + UInt64(max(controlling, controlled)) * 2
            + (controlling > controlled ? 1 : 0)
    }
}
