internal import DequeModule
package import HelioCore
package import HelioProtection
package import HelioSTUN

/// An agent of Interactive Connectivity Establishment (RFC 8445): finds a pair of addresses over which two ends reach
/// each other, and checks the peer's consent periodically.
///
/// An agent has one data stream with one component, which suffices for bundled media. It supports UDP and TCP
/// candidates (RFC 6544, without simultaneous open), trickle ICE (RFC 8838) and restarts (`.restart`). Data does not
/// pass through the agent: the driver sends it on the pair of `.selected`.
///
/// Deviations from RFC 8445:
/// - If the selected pair fails, the agent switches to another working pair without a restart, as browsers do.
/// - A check that can't be authenticated is dropped instead of answered with an error, so as to reveal nothing.
/// - A check is also dropped if the peer's part of its USERNAME is not the signalled fragment: during a restart, such a
///   pair never works in both directions.
package final class ICEAgent: Engine {
    package enum Input: Sendable {
        case localCandidate(LocalCandidate)
        /// The driver has no more local candidates.
        case localCandidatesEnded
        /// Revokes `localCandidatesEnded`: a restart follows, for which the driver gathers relayed candidates again.
        case localCandidatesPending
        /// A TURN allocation has ended, so its relayed address can no longer be used.
        case relayLost(TransportAddress)
        case remoteCredentials(ICECredentials, isLite: Bool)
        case remoteCandidate(CandidateAttribute)
        /// The peer has no more candidates (`a=end-of-candidates`).
        case remoteCandidatesEnded
        /// The addresses of the name in a `.resolve`; empty if the name could not be resolved.
        case resolved(String, [IPAddress])
        /// A datagram that ``DatagramKind`` classifies as STUN.
        case datagram([UInt8], from: TransportAddress, onLocal: TransportAddress)
        /// The connection that `.connect(from:to:)` requested is open; `local` is its local address.
        case connected(from: TransportAddress, to: TransportAddress, local: TransportAddress)
        /// A connection has ended, or could not be opened. In the second case `from` is the address in `.connect`.
        case disconnected(from: TransportAddress, to: TransportAddress)
        /// Restarts ICE with new credentials. The driver then signals `localCredentials` and all candidates again.
        case restart
        /// Rolls back a restart whose offer the peer won't answer: restores the session before it, with its
        /// credentials. Has no effect once the peer's new credentials have arrived.
        case cancelRestart
        case close
    }

    package enum Output: Sendable {
        /// Sends a datagram.
        ///
        /// - Parameter from: the base: a socket's or a relayed address. With TCP, `from` and `to` identify the
        ///   connection.
        case send([UInt8], from: TransportAddress, to: TransportAddress)
        /// Requests a TCP connection from this address (its port is not used); `.connected` or `.disconnected` follows.
        /// The driver may close a connection that no longer carries data.
        case connect(from: TransportAddress, to: TransportAddress)
        /// Requests the addresses of a multicast DNS name, to be looked up on the local network.
        case resolve(String)
        case event(Event)
    }

    package enum Event: Sendable, Hashable {
        /// A local candidate for signalling.
        case candidate(LocalCandidate)
        /// All local candidates have been reported (`a=end-of-candidates`).
        case gathered
        case state(ICEState)
        /// The pair for data from now on; `nil` if no pair works any more.
        case selected(SelectedPair?)
        /// The new role after a change, for example after a role conflict.
        case role(isControlling: Bool)
    }

    package let settings: ICESettings
    let crypto: any CryptoProvider
    var random: any RandomNumberGenerator & Sendable
    var session: ICESession
    var former: FormerPath?
    /// The state before a restart that the peer has not answered yet, restored by `.cancelRestart`; `nil` otherwise.
    var restartOrigin: RestartOrigin?
    var locals: [LocalCandidate] = []
    var localsEnded = false
    /// True once every request to a STUN server has been answered or has failed.
    package internal(set) var hasGathered = false
    var gatherings: [Gathering] = []
    /// The keys of all foundations so far; a foundation's name is the index of its key plus 1.
    var foundations: [FoundationKey] = []
    var tieBreaker: UInt64
    var nextPacing: Instant
    var outputs = Deque<Output>()
    /// The number of inputs and ticks so far. While this number stays the same, the outputs and `dataPath` don't
    /// change, and no deadline becomes earlier.
    package private(set) var steps = 0
    private var knownDeadline: (step: Int, deadline: Deadline?)?
    package internal(set) var isControlling: Bool
    package internal(set) var state = ICEState.new
    package internal(set) var drops = DropCounter<ICEDrop>()

    struct FoundationKey: Hashable {
        let kind: CandidateKind
        let base: IPAddress
        let server: IPAddress?
        let tcpRole: CandidateTransport.TCPRole?
    }

    /// - Parameter random: a secure generator; tests may pass a seeded one.
    package init(
        _ settings: ICESettings, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable, now: Instant
    ) throws(CryptoError) {
        var random = random
        self.settings = settings
        self.crypto = crypto
        isControlling = settings.isControlling
        tieBreaker = random.next()
        nextPacing = now
        let credentials = ICECredentials(using: &random)
        session = ICESession(
            local: credentials, mac: try crypto.mac(.sha1, key: credentials.password), formerPeer: nil, now: now)
        self.random = random
    }

    /// This end's credentials for signalling; a restart replaces them.
    package var localCredentials: ICECredentials { session.local }

    package var localCandidates: [LocalCandidate] { locals }

    package var selectedPair: SelectedPair? { (session.selectedPair ?? former?.pair).map { SelectedPair($0) } }

    /// The pair on which data may be sent: the selected pair, or, before the selection, the best working pair (RFC 8445
    /// section 12.1).
    package var dataPath: SelectedPair? {
        selectedPair ?? bestValid.map { SelectedPair(session.pairs[$0]) }
    }

    /// The round-trip time of the last check on `dataPath`; `nil` if none was measured.
    package var roundTrip: Duration? { (session.selectedPair ?? bestValid.map { session.pairs[$0] })?.roundTrip }

    /// True if the peer no longer answers checks on `dataPath`, or if there is no such path. Always true before the
    /// selection at a lite agent, as it makes no checks.
    package var isSilent: Bool {
        if selectedPair != nil { return state == .disconnected }
        return settings.isLite || bestValid.map { session.pairs[$0].isSilent } ?? true
    }

    /// Returns true if a check has shown that the peer uses this address. Data from any other address must be dropped.
    package func isProven(from remote: TransportAddress, onLocal base: TransportAddress) -> Bool {
        if let former, former.pair.local.base == base, former.pair.remote.address == remote { return true }
        guard let index = session.index(base: base, remote: remote) else { return false }
        return session.pairs[index].state == .succeeded
    }

    // MARK: Engine

    package func handle(_ input: consuming Input, now: Instant) {
        guard state != .closed else { return }
        steps += 1
        switch input {
        case .localCandidate(let candidate): add(candidate, now)
        case .localCandidatesEnded: localsEnded = true
        case .localCandidatesPending: localsEnded = false
        case .relayLost(let base): lose(base)
        case .remoteCredentials(let credentials, let isLite): handle(credentials, isLite: isLite, now)
        case .remoteCandidate(let candidate): handle(candidate, now)
        case .remoteCandidatesEnded:
            session.remoteEnded = true
            session.activeAt = now
        case .resolved(let name, let addresses): resolve(name, addresses, now)
        case .datagram(let bytes, let from, let base): handle(bytes, from: from, onLocal: base, now)
        case .connected(let from, let to, let local): connected(from: from, to: to, local: local, now)
        case .disconnected(let from, let to): disconnected(from: from, to: to, now)
        case .restart: restart(now)
        case .cancelRestart: cancelRestart(now)
        case .close: close()
        }
        settle(now)
    }

    package func tick(now: Instant) {
        guard state != .closed else { return }
        steps += 1
        sendAgain(now)
        stopConnecting(now)
        gather(now)
        pace(now)
        checkConsent(now)
        watchPath(now)
        settle(now)
    }

    package func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        guard state != .closed else { return nil }
        // The deadline is cached, as it is read after every datagram of the connection, and few of those are STUN.
        if let knownDeadline, knownDeadline.step == steps { return knownDeadline.deadline }
        let next = nextDeadline
        knownDeadline = (steps, next)
        return next
    }

    /// Records that an authenticated data packet was received on the selected pair, so the pair is not silent.
    package func pathHeard(now: Instant) { session.watch?.heard(now) }

    private var nextDeadline: Deadline? {
        let gathering = Deadline.earliest(pacingDeadline, gatheringDeadline)
        let checking = Deadline.earliest(.earliest(transactionDeadline, connectionDeadline), nominationDeadline)
        return .earliest(
            .earliest(.earliest(gathering, checking), .earliest(consentDeadline, failureDeadline)), watchDeadline)
    }

    // MARK: State changes

    func settle(_ now: Instant) {
        chooseBackups()
        nominate(now)
        if localsEnded, !hasGathered, gatherings.allSatisfy(\.isSettled) {
            hasGathered = true
            outputs.append(.event(.gathered))
        }
        forgetFormer(now)
        let next = stateNow(now)
        if next == .failed, state != .failed { giveUp() }
        change(to: next)
    }

    private func stateNow(_ now: Instant) -> ICEState {
        if state == .closed || state == .failed { return state }
        if let consent = session.consent ?? former?.consent {
            if now >= consent.grantedAt + settings.consentLifetime { return .failed }
            return consent.isDisconnected(now, settings) ? .disconnected : .connected
        }
        guard session.remote != nil else { return .new }
        return hasFailed(now) ? .failed : .checking
    }

    func change(to next: ICEState) {
        guard next != state else { return }
        state = next
        outputs.append(.event(.state(next)))
    }

    /// Drops the former path once its consent has expired, while a restart still looks for a new one.
    private func forgetFormer(_ now: Instant) {
        guard let former, now >= former.consent.grantedAt + settings.consentLifetime else { return }
        self.former = nil
        outputs.append(.event(.selected(nil)))
    }

    func giveUp() {
        let had = session.selected != nil || former != nil
        session.transactions = []
        session.triggered = []
        session.pairs = []
        session.held = []
        session.selected = nil
        session.nominating = nil
        session.consent = nil
        session.watch = nil
        session.backups = []
        former = nil
        if had { outputs.append(.event(.selected(nil))) }
    }

    private func close() {
        giveUp()
        restartOrigin = nil
        gatherings = []
        change(to: .closed)
    }

    // MARK: Failure

    /// Returns true if no check is pending and nothing has been received from the peer for `patience`; if all pairs
    /// have failed and no candidate can follow, the time counts from the start of the checks.
    private func hasFailed(_ now: Instant) -> Bool { !isBusy && now >= patienceEnd }

    private var patienceEnd: Instant {
        // A check may still arrive from an address that was not signalled, even if all pairs have failed (RFC 8863
        // section 4).
        (isExhausted ? session.beganAt : session.activeAt) + settings.patience
    }

    /// True while a check is queued or in flight, or a nomination is unanswered.
    private var isBusy: Bool {
        !settings.isLite && (session.nominating != nil || session.pairs.contains { $0.isPending })
    }

    private var isExhausted: Bool {
        session.remoteEnded && hasGathered && session.unresolved.isEmpty && !session.pairs.isEmpty
            && session.pairs.allSatisfy { $0.state == .failed }
    }

    private var failureDeadline: Deadline? {
        if let consent = session.consent ?? former?.consent {
            return switch state {
            case .connected: Deadline(at: consent.grantedAt + settings.disconnectedAfter, why: "peer grows silent")
            case .disconnected: Deadline(at: consent.grantedAt + settings.consentLifetime, why: "consent expires")
            default: nil
            }
        }
        guard state == .checking, !isBusy else { return nil }
        return Deadline(at: patienceEnd, why: "patience ends")
    }
}

extension SelectedPair {
    init(_ pair: CandidatePair) {
        self.init(
            base: pair.local.base, remote: pair.remote.address, localKind: pair.local.kind, remoteKind: pair.remote.kind
        )
    }
}
