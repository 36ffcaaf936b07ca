import HelioCore

/// A candidate pair that is checked: from a local base to a remote candidate (RFC 8445 section 6.1.2).
struct CandidatePair {
    enum State: Hashable {
        /// Waits for another pair of its foundation.
        case frozen
        case waiting
        case inProgress
        case succeeded
        case failed
    }

    let id: Int
    /// The local candidate. An active one changes to the socket that its connection has.
    var local: LocalCandidate
    var remote: RemoteCandidate
    var state: State
    var priority: UInt64
    /// True once the peer, which controls, has nominated this pair: it is used as soon as our own check has succeeded.
    var isNominatedByPeer = false
    /// True if the peer wants this pair instead of the one in use, whatever their priorities are.
    var isRenewed = false
    /// When the peer last sent a new check that nominates the pair, and one that does not.
    var nominatedAt: Instant?
    var checkedAt: Instant?
    /// Until when its connection, which is being opened, is waited for.
    var connectsUntil: Instant?
    /// When a check of ours was last answered.
    var provenAt: Instant?
    /// The round-trip time of the last check of it that was answered.
    var roundTrip: Duration?
    /// When the last check of ours began.
    var askedAt: Instant?
    /// True if it worked, but was checked again and has not answered.
    var isSilent = false

    /// Forgets the peer's nominations so far: they mean nothing any more.
    mutating func forgetNomination() {
        (isNominatedByPeer, isRenewed, nominatedAt, checkedAt) = (false, false, nil, nil)
    }

    var foundation: String { "\(local.foundation):\(remote.foundation)" }
    /// True while its check is still to be made or answered.
    var isPending: Bool { state == .frozen || state == .waiting || state == .inProgress }

    /// The pair's priority (RFC 8445 section 6.1.2.3): the same at both ends.
    static func priority(local: UInt32, remote: UInt32, isControlling: Bool) -> UInt64 {
        let (controlling, controlled) = isControlling ? (local, remote) : (remote, local)
        return (UInt64(min(controlling, controlled)) << 32) + UInt64(max(controlling, controlled)) * 2
            + (controlling > controlled ? 1 : 0)
    }
}
