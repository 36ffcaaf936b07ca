import HelioCore
import HelioProtection
import HelioSTUN

/// The state that belongs to one set of credentials; a restart begins a new session.
struct ICESession {
    struct Remote {
        let credentials: ICECredentials
        let mac: any MACContext
        let isLite: Bool
    }

    /// A check received before the peer's credentials. It was answered at once; its pair is checked once the
    /// credentials are known.
    struct HeldCheck {
        let from: TransportAddress
        let base: TransportAddress
        let priority: UInt32
        var usesCandidate: Bool
        /// True if the check is new, not a retransmission.
        var isNew = true
    }

    /// A check seen before, kept to detect replays.
    struct SeenCheck {
        let transaction: STUNTransactionID
        let from: TransportAddress
        let base: TransportAddress
    }

    let local: ICECredentials
    let mac: any MACContext
    /// The peer's username fragment before the restart that began this session.
    let formerPeer: String?
    var remote: Remote?
    var remotes: [RemoteCandidate] = []
    var remoteEnded = false
    /// Candidates whose names the driver is resolving.
    var unresolved: [CandidateAttribute] = []
    var pairs: [CandidatePair] = []
    /// The triggered-check queue: the IDs of pairs that are checked before all others (RFC 8445 section 6.1.4.1).
    var triggered: [Int] = []
    /// The checks in flight, in the order in which they began.
    var transactions: [CheckTransaction] = []
    var held: [HeldCheck] = []
    var seen: [SeenCheck] = []
    var nextPair = 0
    var nextReflexive = 0
    var nominating: Int?
    var selected: Int?
    var consent: Consent?
    /// The detector of silence on the selected pair.
    var watch: PathWatch?
    /// The IDs of the pairs that may replace the selected one.
    var backups: [Int] = []
    /// The time at which the first pair succeeded.
    var validSince: Instant?
    /// The time at which a check, an answer or signalling was last received from the peer.
    var activeAt: Instant
    /// The time at which the peer's credentials arrived, when the checks begin.
    var beganAt: Instant

    init(local: ICECredentials, mac: any MACContext, formerPeer: String?, now: Instant) {
        self.local = local
        self.mac = mac
        self.formerPeer = formerPeer
        activeAt = now
        beganAt = now
    }

    /// Returns true if `asker`, the peer's part of a check's USERNAME, is the peer's signalled fragment.
    ///
    /// Chromium, during a restart, sends checks from its new sockets with this end's old credentials until the new
    /// credentials arrive; afterwards, it sends checks from its old sockets with the new credentials. If such a check
    /// were answered, Chromium would count the pair as working and might use it for data. But it rejects our checks of
    /// the pair, so that its data would come from an address that no check has confirmed.
    func isPeer(_ asker: Substring) -> Bool {
        if let remote { return remote.credentials.usernameFragment == asker }
        // The fragment before the restart is the only one that can be excluded before the peer's new credentials
        // arrive.
        return formerPeer.map { $0 != asker } ?? true
    }

    func index(of pair: Int?) -> Int? { pair.flatMap { id in pairs.firstIndex { $0.id == id } } }

    func index(base: TransportAddress, remote: TransportAddress) -> Int? {
        pairs.firstIndex { $0.local.base == base && $0.remote.address == remote }
    }

    var selectedPair: CandidatePair? { index(of: selected).map { pairs[$0] } }

    /// Returns the IDs of at most `most` pairs that may replace `chosen`. Pairs that are not silent come first; among
    /// them, pairs with a new local address, then pairs with a new remote address, then pairs of higher priority.
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

    /// Records that an authentic packet was received on this path.
    mutating func heard(base: TransportAddress, remote: TransportAddress, now: Instant) {
        guard let index = index(of: selected), pairs[index].local.base == base, pairs[index].remote.address == remote
        else { return }
        watch?.heard(now)
    }

    /// Queues a triggered check of a pair without a change of its state.
    mutating func askSoon(_ index: Int) {
        let id = pairs[index].id
        if !triggered.contains(id) { triggered.append(id) }
    }

    mutating func trigger(_ index: Int) {
        pairs[index].state = .waiting
        let id = pairs[index].id
        if !triggered.contains(id) { triggered.append(id) }
    }

    /// Stops the retransmission of the pair's checks, except for a nominating check.
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
