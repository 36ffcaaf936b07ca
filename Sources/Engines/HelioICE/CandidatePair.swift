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
    /// The local candidate; for an active TCP candidate, one with the socket of the connection once that is open.
    var local: LocalCandidate
    var remote: RemoteCandidate
    var state: State
    var priority: UInt64
    /// True once the controlling peer has nominated this pair, which is then used as soon as our own check has
    /// succeeded.
    var isNominatedByPeer = false
    /// True if the peer wants this pair instead of the one in use, whatever their priorities are.
    var isRenewed = false
    /// When the peer last sent a new check that nominates the pair (`nominatedAt`), and one that does not
    /// (`checkedAt`).
    var nominatedAt: Instant?
    var checkedAt: Instant?
    /// The time limit for opening the pair's TCP connection; `nil` if none is being opened.
    var connectsUntil: Instant?
    /// When one of our checks of the pair was last answered.
    var provenAt: Instant?
    /// The round-trip time of the pair's last answered check.
    var roundTrip: Duration?
    /// When our latest check of the pair was first sent.
    var askedAt: Instant?
    /// True if the pair has worked, but a later check has not been answered.
    var isSilent = false

    /// Discards the peer's nominations so far, which no longer apply.
    mutating func forgetNomination() {
        (isNominatedByPeer, isRenewed, nominatedAt, checkedAt) = (false, false, nil, nil)
    }

    var foundation: String { "\(local.foundation):\(remote.foundation)" }
    /// True while the pair's check is still to be made or answered.
    var isPending: Bool { state == .frozen || state == .waiting || state == .inProgress }

    /// The pair's priority (RFC 8445 section 6.1.2.3): the same at both ends.
    static func priority(local: UInt32, remote: UInt32, isControlling: Bool) -> UInt64 {
        let (controlling, controlled) = isControlling ? (local, remote) : (remote, local)
        return (UInt64(min(controlling, controlled)) << 32) + UInt64(max(controlling, controlled)) * 2
            + (controlling > controlled ? 1 : 0)
    }
}
