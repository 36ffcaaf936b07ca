import HelioCore
import HelioSTUN

// The choice of the pair in use (RFC 8445 section 8), and the peer's consent to it (RFC 7675).

extension ICEAgent {
    // MARK: The controlling side

    /// Nominates the best working pair, once the wait for a better one is over. If the pair in use seems not to work,
    /// nominates another that does.
    func nominate(_ now: Instant) {
        guard session.remote != nil, !settings.isLite else { return }
        if session.nominating != nil { return nominateAnother(now) }
        if session.selected != nil { return replaceShaky(now) }
        guard isControlling, let index = bestValid, now >= nominationTime(of: session.pairs[index]) else { return }
        startNomination(index, now)
    }

    private func startNomination(_ index: Int, _ now: Instant) {
        session.nominating = session.pairs[index].id
        startCheck(index, isNominating: true, now)
    }

    /// Nominates another working pair, if the nominated one falls silent before the peer has agreed.
    private func nominateAnother(_ now: Instant) {
        guard let current = session.index(of: session.nominating), session.pairs[current].isSilent,
            let other = session.selected == nil ? bestValid : successor(now), !session.pairs[other].isSilent
        else { return }
        startNomination(other, now)
    }

    /// The index of the best working pair: pairs that still answer come before silent ones, then the priority decides.
    var bestValid: Int? {
        func rank(_ pair: CandidatePair) -> (Int, UInt64) { (pair.isSilent ? 0 : 1, pair.priority) }
        return session.pairs.indices.filter { session.pairs[$0].state == .succeeded }
            .max { rank(session.pairs[$0]) < rank(session.pairs[$1]) }
    }

    /// The time from which the pair is nominated without waiting for a better one.
    private func nominationTime(of pair: CandidatePair) -> Instant {
        let since = session.validSince ?? session.activeAt
        let isDetour =
            pair.local.kind == .relayed || pair.remote.kind == .relayed || pair.local.base.transport == .tcp
        let mayCome = isDetour && !(session.remoteEnded && hasGathered && session.unresolved.isEmpty)
        let isPending = session.pairs.contains { $0.isPending && $0.priority > pair.priority }
        guard mayCome || isPending else { return since }
        return since + (isDetour ? settings.detourDelay : settings.nominationDelay)
    }

    var nominationDeadline: Deadline? {
        guard session.remote != nil, !settings.isLite, session.nominating == nil else { return nil }
        if session.selected != nil {
            return successionTime.map { Deadline(at: $0, why: "path is silent, another is not") }
        }
        guard isControlling, let bestValid else { return nil }
        return Deadline(at: nominationTime(of: session.pairs[bestValid]), why: "nomination")
    }

    // MARK: The controlled side

    /// Records whether a check of the peer's nominates the pair. A new check that nominates another pair than the one
    /// in use may mean that the peer has switched to it.
    func noteNomination(_ check: ICESession.HeldCheck, _ index: Int, _ now: Instant) {
        // A retransmitted check may be older than the peer's latest one.
        guard check.isNew else { return }
        guard check.usesCandidate else {
            session.pairs[index].checkedAt = now
            return
        }
        session.pairs[index].isNominatedByPeer = true
        if let current = session.selectedPair, current.id != session.pairs[index].id {
            session.pairs[index].isRenewed = isLeft(current, now)
        }
        session.pairs[index].nominatedAt = now
    }

    /// Returns true if a peer that nominates another pair abandons this one, whatever their priorities are: libwebrtc
    /// nominates the pair that it uses with each of its checks, and does not signal that it has left another. An agent
    /// of RFC 5245, which nominates every working pair and then uses the best, abandons none; but it must not do that
    /// with a lite agent.
    private func isLeft(_ pair: CandidatePair, _ now: Instant) -> Bool {
        guard !settings.isLite, let nominatedAt = pair.nominatedAt else { return true }
        if let checkedAt = pair.checkedAt, checkedAt > nominatedAt { return true }
        return now >= nominatedAt + settings.renominationAfter
    }

    /// Selects a working pair that the peer has nominated. Where the peer nominated several (aggressive nomination, RFC
    /// 5245), switches to one of higher priority, one found after the peer moved, or one that it renominated; and to
    /// any while the selected pair is shaky or silent.
    func selectAsControlled(_ index: Int, _ now: Instant) {
        guard !isControlling, session.pairs[index].isNominatedByPeer else { return }
        let candidate = session.pairs[index]
        if let current = session.selectedPair, let consent = session.consent {
            guard candidate.id != current.id,
                candidate.isRenewed || candidate.priority > current.priority || candidate.remote.isLate
                    || consent.isShaky(now, settings) || hasFallenSilent(now)
            else { return }
        }
        select(index, now)
        // The peer's switch to this pair cancels its nominations of others.
        for other in session.pairs.indices where session.pairs[other].id != candidate.id {
            session.pairs[other].isRenewed = false
            if candidate.isRenewed || session.pairs[other].priority < candidate.priority {
                session.pairs[other].isNominatedByPeer = false
            }
        }
    }

    // MARK: Either side

    func select(_ index: Int, _ now: Instant) {
        guard session.pairs[index].id != session.selected else { return }
        let pair = session.pairs[index]
        if let left = session.index(of: session.selected),
            hasFallenSilent(now) || session.consent?.isShaky(now, settings) ?? false
        {
            session.pairs[left].isSilent = true
        }
        session.selected = pair.id
        session.consent = Consent(now: now, random: random.next())
        session.watch = PathWatch(now: now)
        session.nominating = nil
        former = nil
        outputs.append(.event(.selected(SelectedPair(pair))))
        // Section 8.1.2: the other checks end, except for a few that are finished to have backups; and a peer that
        // nominates aggressively may still reach a better pair.
        let isControlling = isControlling
        let most = settings.isLite ? 0 : settings.maximumBackups
        let kept = Set(
            session.spares(of: pair.id, most: most) { other in
                other.state == .succeeded
                    || (other.isPending && !other.local.needsConnection && other.connectsUntil == nil)
            })
        session.removePairs { other in
            let isOver = other.isPending && !kept.contains(other.id)
            return (isOver && (isControlling || other.priority < pair.priority)) || other.state == .failed
        }
        chooseBackups()
    }

    // MARK: Silence on the pair in use

    func chooseBackups() {
        guard session.selected != nil, !settings.isLite else { return }
        session.backups = session.spares(of: session.selected, most: settings.maximumBackups) {
            $0.state == .succeeded
        }
    }

    /// Probes the pair in use while nothing is received on it, and, if that goes on, checks its backups too.
    func watchPath(_ now: Instant) {
        guard let due = watchDeadline?.at, due <= now, let pair = session.selectedPair, let remote = session.remote
        else { return }
        // The check does not nominate: a switch to another pair needs a new nomination.
        let (transaction, bytes) = check(pair, session, remote, isNominating: false)
        session.consent?.probed(transaction, asControlling: isControlling, now: now)
        session.watch?.asked(now)
        send(bytes, from: pair.local.base, to: pair.remote.address)
        // A single probe may get lost.
        guard let questions = session.watch?.questions, questions == 2 || questions > settings.probes else { return }
        for id in session.backups {
            if let index = session.index(of: id) { recheck(index, now) }
        }
    }

    var watchDeadline: Deadline? {
        guard state != .failed, !session.backups.isEmpty, session.remote != nil, session.consent?.isBroken == false,
            let watch = session.watch
        else { return nil }
        return Deadline(at: watch.nextQuestion(settings), why: "path is quiet")
    }

    /// The time from which the pair in use counts as silent.
    private var silentAt: Instant? { session.watch?.silentAt(settings, roundTrip: session.selectedPair?.roundTrip) }

    private func hasFallenSilent(_ now: Instant) -> Bool { silentAt.map { $0 <= now } ?? false }

    /// The index of the best pair other than the one in use that answered a check after `instant`.
    private func best(provenAfter instant: Instant) -> Int? {
        session.pairs.indices
            .filter { index in
                let pair = session.pairs[index]
                return pair.state == .succeeded && pair.id != session.selected && !pair.isSilent
                    && pair.provenAt.map { $0 > instant } ?? false
            }
            .max { session.pairs[$0].priority < session.pairs[$1].priority }
    }

    /// The pairs that may replace the pair in use, each with the earliest time of the switch if nothing changes until
    /// then.
    private var successions: [(at: Instant, index: Int)] {
        guard let consent = session.consent else { return [] }
        if consent.isBroken { return best(provenAfter: .zero).map { [(consent.grantedAt, $0)] } ?? [] }
        var all: [(at: Instant, index: Int)] = []
        if let silentAt, let since = session.watch?.firstAsked, let index = best(provenAfter: since) {
            all.append((silentAt, index))
        }
        // The path may work in one direction only: data is received, but our checks are not answered.
        if let index = best(provenAfter: consent.grantedAt) {
            all.append((consent.grantedAt + settings.shakyAfter, index))
        }
        return all
    }

    private var successionTime: Instant? { successions.map(\.at).min() }

    private func successor(_ now: Instant) -> Int? { successions.first { $0.at <= now }?.index }

    private func replaceShaky(_ now: Instant) {
        guard let successor = successor(now) else { return }
        if isControlling { return startNomination(successor, now) }
        // The peer's nominations so far no longer apply.
        for index in session.pairs.indices { session.pairs[index].forgetNomination() }
        select(successor, now)
    }

    // MARK: Consent

    func checkConsent(_ now: Instant) {
        guard state != .failed else { return }
        if settings.isLite { return keepAlive(now) }
        if let pair = session.selectedPair, let remote = session.remote,
            let consent = session.consent, consent.isDue(now)
        {
            // A controlling end nominates again, so that the peer recognises the pair if our address has changed.
            let (transaction, bytes) = check(pair, session, remote, isNominating: isControlling)
            session.consent?.asked(transaction, asControlling: isControlling, now: now, random: random.next())
            send(bytes, from: pair.local.base, to: pair.remote.address)
        }
        if let former, former.consent.isDue(now), let remote = former.session.remote {
            let (transaction, bytes) = check(former.pair, former.session, remote, isNominating: false)
            self.former?.consent.asked(transaction, asControlling: isControlling, now: now, random: random.next())
            send(bytes, from: former.pair.local.base, to: former.pair.remote.address)
        }
    }

    /// Keeps the path open. Section 11 requires that of a lite agent too: if the peer has sent no check for so long, no
    /// answer has kept the path open.
    private func keepAlive(_ now: Instant) {
        func isDue(_ consent: Consent) -> Bool {
            consent.isDue(now) && now < consent.grantedAt + settings.consentLifetime
        }
        if let pair = session.selectedPair, let consent = session.consent, isDue(consent) {
            session.consent?.keptAlive(now: now, keepalive: settings.keepalive)
            indicate(pair)
        }
        if let former, isDue(former.consent) {
            self.former?.consent.keptAlive(now: now, keepalive: settings.keepalive)
            indicate(former.pair)
        }
    }

    private func indicate(_ pair: CandidatePair) {
        let bytes = STUNMessage(.indication, .binding, STUNTransactionID(using: &random)).serialised()
        send(bytes, from: pair.local.base, to: pair.remote.address)
    }

    var consentDeadline: Deadline? {
        let due = [session.consent, former?.consent].compactMap { $0?.dueAt }.min()
        return due.map { Deadline(at: $0, why: settings.isLite ? "keepalive" : "consent check") }
    }
}
