import HelioCore

/// A way that is tried: from a local base to a remote candidate (RFC 8445 section 6.1.2).
struct CandidatePair {
    enum State: Hashable {
        /// Waits for another of its foundation.
        case frozen
        case waiting
        case inProgress
        case succeeded
        case failed
    }

    let id: Int
    /// An active candidate changes to the socket that its connection has.
    var local: LocalCandidate
    var remote: RemoteCandidate
    var state: State
    var priority: UInt64
    /// The peer, which controls, wants this one as soon as our own check has succeeded.
    var isNominatedByPeer = false
    /// It wants this one instead of the one in use, whatever their priorities are.
    var isRenewed = false
    /// When a new check of the peer's came last that nominates the pair, and one that does not.
    var nominatedAt: Instant?
    var checkedAt: Instant?
    /// Its connection is being opened, and is waited for until then.
    var connectsUntil: Instant?
    /// When a check of ours was answered last.
    var provenAt: Instant?
    /// By the last answer to a check of it.
    var roundTrip: Duration?
    /// When the last check of ours began.
    var askedAt: Instant?
    /// It worked, but was asked again and has not answered.
    var isSilent = false

    /// What the peer has asked for before means nothing any more.
    mutating func forgetNomination() {
        (isNominatedByPeer, isRenewed, nominatedAt, checkedAt) = (false, false, nil, nil)
    }

    var foundation: String { "\(local.foundation):\(remote.foundation)" }
    /// Its check is still to be made or answered.
    var isPending: Bool { state == .frozen || state == .waiting || state == .inProgress }

    /// RFC 8445 section 6.1.2.3: the same at both ends.
    static func priority(local: UInt32, remote: UInt32, isControlling: Bool) -> UInt64 {
        let (controlling, controlled) = isControlling ? (local, remote) : (remote, local)
        return (UInt64(min(controlling, controlled)) << 32) + UInt64(max(controlling, controlled)) * 2
            + (controlling > controlled ? 1 : 0)
    }
}
