import HelioCore
import HelioProtection
import HelioSTUN

/// The state that belongs to one pair of credentials, and that a restart replaces.
struct ICESession {
    struct Remote {
        let credentials: ICECredentials
        let mac: any MACContext
        let isLite: Bool
    }

    /// A check that came before the peer's credentials: answered, and to be followed when they are there.
    struct HeldCheck {
        let from: TransportAddress
        let base: TransportAddress
        let priority: UInt32
        var usesCandidate: Bool
        /// True if the check is new, not a retransmission.
        var isNew = true
    }

    /// A check that was taken, by which a copy of it is recognised.
    struct SeenCheck {
        let transaction: STUNTransactionID
        let from: TransportAddress
        let base: TransportAddress
    }

    let local: ICECredentials
    let mac: any MACContext
    /// The user name fragment that the peer had before the restart with which this began.
    let formerPeer: String?
    var remote: Remote?
    var remotes: [RemoteCandidate] = []
    var remoteEnded = false
    /// Candidates whose names the driver is asked for.
    var unresolved: [CandidateAttribute] = []
    var pairs: [CandidatePair] = []
    /// Pairs whose checks come before all others (RFC 8445 section 6.1.4.1).
    var triggered: [Int] = []
    /// The checks on their way, in the order in which they began.
    var transactions: [CheckTransaction] = []
    var held: [HeldCheck] = []
    var seen: [SeenCheck] = []
    var nextPair = 0
    var nextReflexive = 0
    var nominating: Int?
    var selected: Int?
    var consent: Consent?
    /// The watch on the pair that was chosen.
    var watch: PathWatch?
    /// Pairs that may take the place of the chosen one.
    var backups: [Int] = []
    /// When the first pair was found that works.
    var validSince: Instant?
    /// When something last came from the peer or its signalling.
    var activeAt: Instant
    /// When the peer's description came, with which the checks begin.
    var beganAt: Instant

    init(local: ICECredentials, mac: any MACContext, formerPeer: String?, now: Instant) {
        self.local = local
        self.mac = mac
        self.formerPeer = formerPeer
        activeAt = now
        beganAt = now
    }

    /// Returns true if a check with this half of its user name belongs to the peer as it was signalled. Chromium, which
    /// restarts or is told of a restart, checks from its new sockets with this end's old credentials and from its old
    /// ones with the new, until it knows better. If that is answered it takes such a pair for a good one, and may go on
    /// to use it for good; but it refuses our checks of it, so that all that it sends there is a stranger's.
    func isPeer(_ asker: Substring) -> Bool {
        if let remote { return remote.credentials.usernameFragment == asker }
        // Before it has told, this alone is known: after a restart it has other ones than before.
        return formerPeer.map { $0 != asker } ?? true
    }

    func index(of pair: Int?) -> Int? { pair.flatMap { id in pairs.firstIndex { $0.id == id } } }

    func index(base: TransportAddress, remote: TransportAddress) -> Int? {
        pairs.firstIndex { $0.local.base == base && $0.remote.address == remote }
    }

    var selectedPair: CandidatePair? { index(of: selected).map { pairs[$0] } }

    /// Chooses at most `most` pairs that may take the place of another: those on other paths than it and each other
    /// first, then the best.
    func spares(of chosen: Int?, most: Int, where isMeant: (CandidatePair) -> Bool) -> [Int] {
        var rest = pairs.filter { $0.id != chosen && isMeant($0) }
        var taken = index(of: chosen).map { [pairs[$0]] } ?? []
        let first = taken.count
        func rank(_ pair: CandidatePair) -> (Int, Int, Int, UInt64) {
            (
                pair.isSilent ? 0 : 1, taken.contains { $0.local.base == pair.local.base } ? 0 : 1,
                taken.contains { $0.remote.address == pair.remote.address } ? 0 : 1, pair.priority
            )
        }
        while taken.count < first + most, let best = rest.indices.max(by: { rank(rest[$0]) < rank(rest[$1]) }) {
            taken.append(rest.remove(at: best))
        }
        return taken.dropFirst(first).map(\.id)
    }

    /// Notes that something genuine was received on this path.
    mutating func heard(base: TransportAddress, remote: TransportAddress, now: Instant) {
        guard let index = index(of: selected), pairs[index].local.base == base, pairs[index].remote.address == remote
        else { return }
        watch?.heard(now)
    }

    /// Schedules an early check of the pair, though it may work.
    mutating func askSoon(_ index: Int) {
        let id = pairs[index].id
        if !triggered.contains(id) { triggered.append(id) }
    }

    mutating func trigger(_ index: Int) {
        pairs[index].state = .waiting
        let id = pairs[index].id
        if !triggered.contains(id) { triggered.append(id) }
    }

    /// Stops retransmitting the pair's checks; one that nominates goes on.
    mutating func cancelChecks(of pair: Int, now: Instant) {
        for index in transactions.indices where transactions[index].pair == pair {
            guard !transactions[index].isNominating, !transactions[index].isCancelled else { continue }
            transactions[index].isCancelled = true
            transactions[index].backoff.stop(now: now)
        }
    }

    mutating func removePairs(where isUnwanted: (CandidatePair) -> Bool) {
        let gone = Set(pairs.filter(isUnwanted).map(\.id))
        guard !gone.isEmpty else { return }
        pairs.removeAll { gone.contains($0.id) }
        triggered.removeAll { gone.contains($0) }
        transactions.removeAll { gone.contains($0.pair) }
    }
}
