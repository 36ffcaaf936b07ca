import HelioCore
import HelioProtection
import HelioSTUN

// The peer's credentials and candidates from signalling (RFC 8838), and the candidate pairs (RFC 8445 section 6.1.2).

extension ICEAgent {
    func handle(_ credentials: ICECredentials, isLite: Bool, _ now: Instant) {
        if let remote = session.remote {
            if remote.credentials != credentials { drops.count(.unexpectedCredentials) }
            return
        }
        guard let mac = try? crypto.mac(.sha1, key: credentials.password) else {
            return drops.count(.unexpectedCredentials)
        }
        session.remote = .init(credentials: credentials, mac: mac, isLite: isLite)
        restartOrigin = nil
        session.activeAt = now
        session.beganAt = now
        // A lite peer can't nominate, so this end controls (section 6.1.1).
        if isLite, !settings.isLite, !isControlling { switchRole() }
        let held = session.held
        session.held = []
        for check in held { follow(check, now) }
    }

    func handle(_ candidate: CandidateAttribute, _ now: Instant) {
        session.activeAt = now
        guard candidate.component == 1, candidate.port > 0 else { return drops.count(.unsupportedCandidate) }
        switch candidate.transport {
        case .udp, .tcp(.passive): break
        // An active TCP candidate forms no pair if this end accepts connections: the peer's first check on a connection
        // shows the address.
        case .tcp(.active) where locals.contains { $0.tcpRole == .passive }: return
        case .tcp: return drops.count(.unsupportedCandidate)
        }
        switch candidate.host {
        case .ip(let ip): add(RemoteCandidate(candidate, ip), now)
        case .name(let name):
            // A name is resolved only if it is an mDNS name: a DNS query for any other name would reveal this end to a
            // server of the peer's choice.
            guard candidate.host.isMulticastName, !settings.isLite else { return drops.count(.unsupportedCandidate) }
            guard session.unresolved.count < settings.maximumNames else { return drops.count(.tooMany) }
            let isAsked = session.unresolved.contains { $0.host == candidate.host }
            session.unresolved.append(candidate)
            if !isAsked { outputs.append(.resolve(name)) }
        }
    }

    func resolve(_ name: String, _ addresses: [IPAddress], _ now: Instant) {
        let named = session.unresolved.filter { $0.host == .name(name) }
        session.unresolved.removeAll { $0.host == .name(name) }
        for candidate in named {
            if addresses.isEmpty { drops.count(.unresolved) }
            for ip in addresses { add(RemoteCandidate(candidate, ip), now) }
        }
    }

    private func add(_ candidate: RemoteCandidate, _ now: Instant) {
        guard !candidate.address.ip.isUnspecified else { return drops.count(.unsupportedCandidate) }
        if let index = session.remotes.firstIndex(where: { $0.address == candidate.address }) {
            // A peer-reflexive candidate was known from a check before its signalling arrived. It has a pair with the
            // local candidate of that check alone, which may be a relay's.
            guard session.remotes[index].kind == .peerReflexive else { return }
            update(index, candidate)
        } else {
            guard session.remotes.count < settings.maximumRemoteCandidates else { return drops.count(.tooMany) }
            session.remotes.append(candidate)
        }
        for local in locals where local.base == local.address { _ = pair(local, candidate, isSignalled: true, now) }
    }

    private func update(_ index: Int, _ candidate: RemoteCandidate) {
        session.remotes[index] = candidate
        for index in session.pairs.indices where session.pairs[index].remote.address == candidate.address {
            session.pairs[index].remote = candidate
            session.pairs[index].priority = priority(session.pairs[index].local, candidate)
        }
    }

    /// Returns the remote candidate for the source of an authenticated check, a new peer-reflexive one if the address
    /// is unknown (section 7.3.1.3); `nil` if the list is full.
    func remoteCandidate(at address: TransportAddress, priority: UInt32) -> RemoteCandidate? {
        if let known = session.remotes.first(where: { $0.address == address }) { return known }
        if session.remotes.count >= settings.maximumRemoteCandidates { forgetReflexive() }
        guard session.remotes.count < settings.maximumRemoteCandidates else {
            drops.count(.tooMany)
            return nil
        }
        session.nextReflexive += 1
        var candidate = RemoteCandidate(
            kind: .peerReflexive, address: address, priority: priority, foundation: "prflx\(session.nextReflexive)")
        if address.transport == .tcp { candidate.tcpRole = .active }
        candidate.isLate = session.selected != nil
        session.remotes.append(candidate)
        return candidate
    }

    /// Evicts the oldest peer-reflexive candidate without a working pair. Forged source addresses of replayed checks
    /// can create many such candidates.
    private func forgetReflexive() {
        let index = session.remotes.firstIndex { remote in
            remote.kind == .peerReflexive
                && !session.pairs.contains { $0.remote.address == remote.address && $0.state == .succeeded }
        }
        guard let index else { return }
        let address = session.remotes.remove(at: index).address
        session.removePairs { $0.remote.address == address }
    }

    // MARK: Pairs

    func pairWithAll(_ local: LocalCandidate, _ now: Instant) {
        for remote in session.remotes { _ = pair(local, remote, isSignalled: true, now) }
    }

    /// Returns the index of the pair of two candidates, adding the pair if it is new; `nil` if they can't form a pair,
    /// or if the list is full.
    ///
    /// - Parameter isSignalled: false for a pair found by a check. After the selection, signalled pairs are added only
    ///   as backups.
    func pair(_ local: LocalCandidate, _ remote: RemoteCandidate, isSignalled: Bool, _ now: Instant) -> Int? {
        if let index = session.index(base: local.base, remote: remote.address) { return index }
        guard local.base.family == remote.address.family, local.base.transport == remote.address.transport,
            !isSignalled || canConnect(local, remote), !settings.isLite || !isSignalled,
            !isSignalled || session.selected == nil || isWantedBeside(local, remote),
            local.base.family == .ipv4 || local.base.ip.isLinkLocal == remote.address.ip.isLinkLocal
        else { return nil }
        let rank = priority(local, remote)
        guard makeRoom(for: rank, isSignalled: isSignalled) else {
            drops.count(.tooMany)
            return nil
        }
        var pair = CandidatePair(id: session.nextPair, local: local, remote: remote, state: .frozen, priority: rank)
        session.nextPair += 1
        // RFC 8838 section 12: a pair is not frozen if it is the first of its foundation, or another pair of its
        // foundation works.
        let kin = session.pairs.filter { $0.foundation == pair.foundation }
        if kin.isEmpty || kin.contains(where: { $0.state == .succeeded }) { pair.state = .waiting }
        session.pairs.append(pair)
        return session.pairs.count - 1
    }

    /// Returns true if a pair should be added as a backup of the selected pair: up to `maximumBackups` pairs in any
    /// case, up to twice that if the local or the remote address is new among them.
    private func isWantedBeside(_ local: LocalCandidate, _ remote: RemoteCandidate) -> Bool {
        guard !local.needsConnection else { return false }
        let others = session.pairs.filter { $0.id != session.selected && $0.state != .failed && !$0.isSilent }
        if others.count < settings.maximumBackups { return true }
        let isKnown =
            others.contains { $0.local.base == local.base } && others.contains { $0.remote.address == remote.address }
        return !isKnown && others.count < 2 * settings.maximumBackups
    }

    /// Returns true for UDP, and for a TCP connection from an active to a passive candidate (RFC 6544 section 6.2).
    /// Other TCP pairs are only found by checks.
    private func canConnect(_ local: LocalCandidate, _ remote: RemoteCandidate) -> Bool {
        local.tcpRole == nil || (local.tcpRole == .active && remote.tcpRole == .passive)
    }

    /// Frees an entry if the list of pairs is full: evicts a pair that neither works nor is being checked, a failed one
    /// first, then the one of the lowest priority (section 6.1.2.5). Returns false if no pair may be evicted.
    private func makeRoom(for priority: UInt64, isSignalled: Bool) -> Bool {
        guard session.pairs.count >= settings.maximumPairs else { return true }
        let least = session.pairs.filter { $0.state != .succeeded && $0.state != .inProgress }
            .min { ($0.state == .failed ? 0 : 1, $0.priority) < ($1.state == .failed ? 0 : 1, $1.priority) }
        guard let least, least.state == .failed || least.priority < priority || !isSignalled else { return false }
        session.removePairs { $0.id == least.id }
        return true
    }

    func priority(_ local: LocalCandidate, _ remote: RemoteCandidate) -> UInt64 {
        CandidatePair.priority(local: local.priority, remote: remote.priority, isControlling: isControlling)
    }

    // MARK: Roles

    func switchRole() {
        isControlling.toggle()
        session.nominating = nil
        for index in session.pairs.indices {
            session.pairs[index].forgetNomination()
            session.pairs[index].priority = priority(session.pairs[index].local, session.pairs[index].remote)
        }
        outputs.append(.event(.role(isControlling: isControlling)))
    }

    /// Switches the role after a role conflict error from the peer, and chooses a new random tie-breaker.
    func yieldRole() {
        switchRole()
        tieBreaker = random.next()
    }

    // MARK: Restart

    func restart(_ now: Instant) {
        let credentials = ICECredentials(using: &random)
        guard let mac = try? crypto.mac(.sha1, key: credentials.password) else {
            preconditionFailure("a key of letters that worked before")
        }
        if restartOrigin == nil {
            restartOrigin = RestartOrigin(
                session: session, state: state, tieBreaker: tieBreaker, told: locals.map(\.address))
        }
        if let pair = session.selectedPair, let consent = session.consent {
            former = FormerPath(session: session, pair: pair, consent: consent)
        }
        let formerPeer = session.remote?.credentials.usernameFragment ?? session.formerPeer
        session = ICESession(local: credentials, mac: mac, formerPeer: formerPeer, now: now)
        tieBreaker = random.next()
        // Server-reflexive candidates are gathered anew; all other candidates are signalled again with the new
        // credentials.
        locals.removeAll { $0.kind == .serverReflexive && $0.server.map { isSTUNServer($0) } ?? false }
        gatherings = []
        hasGathered = false
        for local in locals {
            outputs.append(.event(.candidate(local)))
            if local.kind == .host, local.tcpRole == nil { startGathering(local) }
        }
        if former == nil { change(to: .new) }
    }

    func cancelRestart(_ now: Instant) {
        guard let origin = restartOrigin else { return }
        restartOrigin = nil
        session = origin.session
        tieBreaker = origin.tieBreaker
        session.activeAt = now
        // Candidates found during the restart were signalled with the restart's credentials, which no longer apply:
        // signal them again.
        for local in locals where !origin.told.contains(local.address) {
            outputs.append(.event(.candidate(local)))
        }
        if session.selected != nil, let former {
            // The former path is the selected pair of the restored session.
            session.consent = former.consent
            session.watch = PathWatch(now: now)
            self.former = nil
        }
        // The path has failed, before the restart or during it.
        guard origin.state != .failed, state != .failed else {
            giveUp()
            return change(to: .failed)
        }
    }

    private func isSTUNServer(_ ip: IPAddress) -> Bool { settings.stunServers.contains { $0.ip == ip } }
}

extension RemoteCandidate {
    init(_ attribute: CandidateAttribute, _ ip: IPAddress) {
        self.init(
            kind: attribute.kind, address: TransportAddress(ip, port: attribute.port), priority: attribute.priority,
            foundation: attribute.foundation)
        guard case .tcp(let role) = attribute.transport else { return }
        address.transport = .tcp
        tcpRole = role
    }
}
