import HelioCore
import HelioSTUN

// Which pair is used (RFC 8445 section 8), and for how long the peer agrees (RFC 7675).

extension ICEAgent {
    // MARK: The controlling side

    /// Asks the peer to use the best pair that works, once better ones have had their time. With a path in use, the
    /// same for one that works where that one seems not to.
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

    /// The pair that was to be used works no more before the peer has agreed, and another does.
    private func nominateAnother(_ now: Instant) {
        guard session.selected == nil, let current = session.index(of: session.nominating),
            session.pairs[current].isSilent, let bestValid, !session.pairs[bestValid].isSilent
        else { return }
        startNomination(bestValid, now)
    }

    /// Of the pairs that work the best: one that still answers before one that does not.
    var bestValid: Int? {
        func rank(_ pair: CandidatePair) -> (Int, UInt64) { (pair.isSilent ? 0 : 1, pair.priority) }
        return session.pairs.indices.filter { session.pairs[$0].state == .succeeded }
            .max { rank(session.pairs[$0]) < rank(session.pairs[$1]) }
    }

    /// When no better pair is waited for any more.
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
            guard replacement != nil, let consent = session.consent else { return nil }
            let at = consent.isBroken ? consent.grantedAt : consent.grantedAt + settings.shakyAfter
            return Deadline(at: at, why: "path is silent, another is not")
        }
        guard isControlling, let bestValid else { return nil }
        return Deadline(at: nominationTime(of: session.pairs[bestValid]), why: "nomination")
    }

    // MARK: The controlled side

    /// The peer wants this pair, and it works. Of several the best is used (aggressive nomination, RFC 5245), or the
    /// one that came up when the peer had moved.
    func selectAsControlled(_ index: Int, _ now: Instant) {
        guard !isControlling, session.pairs[index].isNominatedByPeer else { return }
        if let current = session.selectedPair, let consent = session.consent {
            let candidate = session.pairs[index]
            guard candidate.id != current.id,
                candidate.priority > current.priority || candidate.remote.isLate || consent.isShaky(now, settings)
            else { return }
        }
        select(index, now)
    }

    // MARK: Both

    func select(_ index: Int, _ now: Instant) {
        guard session.pairs[index].id != session.selected else { return }
        let pair = session.pairs[index]
        session.selected = pair.id
        session.consent = Consent(now: now, random: random.next())
        session.nominating = nil
        former = nil
        outputs.append(.event(.selected(SelectedPair(pair))))
        // Section 8.1.2: the others are done with; a peer that nominates aggressively may come to a better one yet.
        let isControlling = isControlling
        session.removePairs { other in
            (other.isPending && (isControlling || other.priority < pair.priority)) || other.state == .failed
        }
    }

    /// A pair that was shown to work since the one in use was.
    private var replacement: Int? {
        guard let consent = session.consent else { return nil }
        return session.pairs.indices
            .filter { index in
                let pair = session.pairs[index]
                return pair.state == .succeeded && pair.id != session.selected
                    && (consent.isBroken || (pair.provenAt ?? consent.grantedAt) > consent.grantedAt)
            }
            .max { session.pairs[$0].priority < session.pairs[$1].priority }
    }

    private func replaceShaky(_ now: Instant) {
        guard let consent = session.consent, consent.isShaky(now, settings), let replacement
        else { return }
        if isControlling { startNomination(replacement, now) } else { select(replacement, now) }
    }

    // MARK: Consent

    func checkConsent(_ now: Instant) {
        guard state != .failed else { return }
        if settings.isLite { return keepAlive(now) }
        if let pair = session.selectedPair, let remote = session.remote,
            let consent = session.consent, consent.isDue(now)
        {
            // The peer knows its pair again by this, should it see us move.
            let (transaction, bytes) = check(pair, session, remote, isNominating: isControlling)
            session.consent?.asked(transaction, now: now, random: random.next())
            send(bytes, from: pair.local.base, to: pair.remote.address)
        }
        if let former, former.consent.isDue(now), let remote = former.session.remote {
            let (transaction, bytes) = check(former.pair, former.session, remote, isNominating: false)
            self.former?.consent.asked(transaction, now: now, random: random.next())
            send(bytes, from: former.pair.local.base, to: former.pair.remote.address)
        }
    }

    /// Section 11 asks it of a lite agent too: where the peer has asked nothing for so long, no answer has kept the
    /// path open.
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
