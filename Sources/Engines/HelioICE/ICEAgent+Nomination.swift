import HelioCore
import HelioSTUN

// The selection of the pair for data (RFC 8445 section 8), and the peer's consent on it (RFC 7675).

extension ICEAgent {
    // MARK: The controlling side

    /// Nominates the best working pair once the wait for a better pair is over. If the selected pair seems to have
    /// failed, nominates another pair that works.
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

    /// Nominates another working pair if the nominated pair falls silent before the peer has answered.
    private func nominateAnother(_ now: Instant) {
        guard let current = session.index(of: session.nominating), session.pairs[current].isSilent,
            let other = session.selected == nil ? bestValid : successor(now), !session.pairs[other].isSilent
        else { return }
        startNomination(other, now)
    }

    /// The index of the best working pair: one that is not silent is preferred, then one of higher priority.
    var bestValid: Int? {
        func rank(_ pair: CandidatePair) -> (Int, UInt64) { (pair.isSilent ? 0 : 1, pair.priority) }
        return session.pairs.indices.filter { session.pairs[$0].state == .succeeded }
            .max { rank(session.pairs[$0]) < rank(session.pairs[$1]) }
    }

    /// The time at which the wait for a better pair than this one ends.
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

    /// Records whether a check of the peer nominates the pair. If it does, and the pair is not the selected one, the
    /// peer may have switched to the pair.
    func noteNomination(_ check: ICESession.HeldCheck, _ index: Int, _ now: Instant) {
        // A retransmission is ignored, as the peer may have sent newer checks since the original.
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

    /// Returns true if the peer abandons this pair by its nomination of another pair, regardless of priorities.
    ///
    /// libwebrtc sets USE-CANDIDATE in each check of the pair that it uses, and does not signal that it no longer uses
    /// a pair. With aggressive nomination (RFC 5245) an agent nominates every working pair and uses the one of the
    /// highest priority, so it abandons no pair. Aggressive nomination is not allowed with a lite peer, so the result
    /// is always true at a lite agent.
    private func isLeft(_ pair: CandidatePair, _ now: Instant) -> Bool {
        guard !settings.isLite, let nominatedAt = pair.nominatedAt else { return true }
        if let checkedAt = pair.checkedAt, checkedAt > nominatedAt { return true }
        return now >= nominatedAt + settings.renominationAfter
    }

    /// Selects a working pair that the peer has nominated. If another pair is selected already (aggressive nomination,
    /// RFC 5245), switches only if the new pair has a higher priority, was found after the peer's address changed, was
    /// renominated, or if the selected pair is unanswered or silent.
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
        // The peer's switch to this pair revokes its earlier nominations of other pairs.
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
        // Section 8.1.2: the checks of other pairs end. A few are completed, to get backups; a controlled end also
        // completes those of higher priority, as the peer may nominate aggressively.
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

    /// Probes the selected pair while nothing is received on it; checks its backups too, with the second probe and with
    /// each probe after the first `settings.probes`.
    func watchPath(_ now: Instant) {
        guard let due = watchDeadline?.at, due <= now, let pair = session.selectedPair, let remote = session.remote
        else { return }
        // The probe does not nominate: the peer then takes a later nomination of another pair as a switch (`isLeft`).
        let (transaction, bytes) = check(pair, session, remote, isNominating: false)
        session.consent?.probed(transaction, asControlling: isControlling, now: now)
        session.watch?.asked(now)
        send(bytes, from: pair.local.base, to: pair.remote.address)
        // The backups are not checked after the first probe, as a single probe may get lost.
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

    /// The time from which the selected pair counts as silent; `nil` if too few probes were sent.
    private var silentAt: Instant? { session.watch?.silentAt(settings, roundTrip: session.selectedPair?.roundTrip) }

    private func hasFallenSilent(_ now: Instant) -> Bool { silentAt.map { $0 <= now } ?? false }

    /// The index of the unselected pair of the highest priority that answered a check after `instant`.
    private func best(provenAfter instant: Instant) -> Int? {
        session.pairs.indices
            .filter { index in
                let pair = session.pairs[index]
                return pair.state == .succeeded && pair.id != session.selected && !pair.isSilent
                    && pair.provenAt.map { $0 > instant } ?? false
            }
            .max { session.pairs[$0].priority < session.pairs[$1].priority }
    }

    /// The pairs that may replace the selected pair, each with the time of the switch if nothing is received until
    /// then.
    private var successions: [(at: Instant, index: Int)] {
        guard let consent = session.consent else { return [] }
        if consent.isBroken { return best(provenAfter: .zero).map { [(consent.grantedAt, $0)] } ?? [] }
        var all: [(at: Instant, index: Int)] = []
        if let silentAt, let since = session.watch?.firstAsked, let index = best(provenAfter: since) {
            all.append((silentAt, index))
        }
        // The path may work in one direction only: data arrives, but our checks are not answered.
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
        // The peer's nominations preceded the failure, so they are discarded.
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
            // A controlling end sets USE-CANDIDATE here too, so that the peer selects the new pair if our address has
            // changed.
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

    /// Sends a lite agent's keepalives (section 11): if the peer has sent no check lately, no answer of this end has
    /// kept the NAT binding alive.
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
