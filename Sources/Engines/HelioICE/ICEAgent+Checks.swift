import HelioCore
import HelioProtection
import HelioSTUN

// Our checks (RFC 8445 sections 6.1.4 and 7.2): their order, content and retransmission.

extension ICEAgent {
    func send(_ bytes: [UInt8], from: TransportAddress, to: TransportAddress) {
        outputs.append(.send(bytes, from: from, to: to))
    }

    /// Returns the retransmission schedule of a new check.
    ///
    /// - Parameter transport: with TCP there is one transmission and one timeout, as TCP itself retransmits.
    func newBackoff(_ now: Instant, _ transport: TransportProtocol = .udp) -> Backoff {
        if transport == .tcp { return Backoff(timeout: settings.streamTimeout, count: 1, lastWait: 1, now: now) }
        // Section 14.3: the timeout grows with the number of checks under way.
        let busy = session.pairs.count { $0.state == .waiting || $0.state == .inProgress }
        let timeout = max(settings.retransmission, settings.pacing * busy)
        return Backoff(timeout: timeout, count: settings.attempts, lastWait: settings.lastWait, now: now)
    }

    // MARK: Pacing

    private enum Work {
        case check(Int)
        case server
    }

    /// The next paced request, if any. In this order: a triggered check, the waiting pair of the highest priority, the
    /// frozen pair of the highest priority whose foundation has no check in progress, a request to a STUN server.
    private var work: Work? {
        if session.remote != nil, !settings.isLite, state != .failed {
            for id in session.triggered {
                if let index = session.index(of: id) { return .check(index) }
            }
            if let best = best(where: { $0.state == .waiting }) { return .check(best) }
            let tried = Set(session.pairs.lazy.filter { $0.state == .inProgress }.map(\.foundation))
            if let best = best(where: { $0.state == .frozen && !tried.contains($0.foundation) }) {
                return .check(best)
            }
        }
        return gatherings.contains { if case .waiting = $0.state { true } else { false } } ? .server : nil
    }

    private func best(where isMeant: (CandidatePair) -> Bool) -> Int? {
        session.pairs.indices.filter { isMeant(session.pairs[$0]) }
            .max { session.pairs[$0].priority < session.pairs[$1].priority }
    }

    /// Starts the next due check or STUN server request, at most one per `settings.pacing`, so as not to overload NATs.
    func pace(_ now: Instant) {
        guard now >= nextPacing else { return }
        switch work {
        case .check(let index): startCheck(index, isNominating: false, now)
        case .server: _ = askServer(now)
        case nil:
            guard let index = best(where: { recheckTime(of: $0).map { $0 <= now } ?? false }) else { return }
            recheck(index, now)
        }
        nextPacing = now + settings.pacing
    }

    var pacingDeadline: Deadline? {
        if work != nil { return Deadline(at: nextPacing, why: "next check") }
        let again = session.pairs.compactMap { recheckTime(of: $0) }.min()
        return again.map { Deadline(at: max($0, nextPacing), why: "check of a pair that is not in use") }
    }

    // MARK: Checks of working pairs

    /// The time at which a working pair that is not selected is checked again; `nil` for never.
    ///
    /// Repeated checks before the selection of a pair show the peer whether our mapped address has changed; the RFC
    /// requires no further checks of a working pair. Repeated checks after the selection show whether the backups still
    /// work.
    private func recheckTime(of pair: CandidatePair) -> Instant? {
        guard session.remote != nil, !settings.isLite, state != .failed, pair.state == .succeeded,
            let askedAt = pair.askedAt, let since = session.validSince
        else { return nil }
        if session.selected != nil {
            return session.backups.contains(pair.id) ? askedAt + settings.backupInterval : nil
        }
        // The checks end if no pair is selected within `patience` after the first pair has worked.
        let next = askedAt + settings.recheck
        return next < since + settings.patience ? next : nil
    }

    func recheck(_ index: Int, _ now: Instant) {
        let pair = session.pairs[index]
        if let (asked, proven) = pair.askedAt.flatMap({ asked in pair.provenAt.map { (asked, $0) } }), proven < asked,
            now >= asked + settings.retransmission
        {
            session.pairs[index].isSilent = true
        }
        session.cancelChecks(of: pair.id, now: now)
        startCheck(index, isNominating: false, now)
    }

    // MARK: Checks

    func startCheck(_ index: Int, isNominating: Bool, _ now: Instant) {
        guard let remote = session.remote else { return }
        let pair = session.pairs[index]
        session.triggered.removeAll { $0 == pair.id }
        if pair.local.needsConnection { return connect(index, now) }
        let (transaction, bytes) = check(pair, session, remote, isNominating: isNominating)
        session.transactions.append(
            CheckTransaction(
                id: transaction, pair: pair.id, bytes: bytes, from: pair.local.base, to: pair.remote.address,
                isNominating: isNominating, asControlling: isControlling, sentAt: now,
                backoff: newBackoff(now, pair.local.base.transport)))
        session.pairs[index].askedAt = now
        // A working pair stays `succeeded` while it is checked again.
        if !isNominating, pair.state != .succeeded { session.pairs[index].state = .inProgress }
        send(bytes, from: pair.local.base, to: pair.remote.address)
    }

    /// Makes the Binding request of a check (section 7.1); returns it with its transaction ID.
    func check(
        _ pair: CandidatePair, _ session: ICESession, _ remote: ICESession.Remote, isNominating: Bool
    ) -> (STUNTransactionID, [UInt8]) {
        let transaction = STUNTransactionID(using: &random)
        var message = STUNMessage(
            .request, .binding, transaction,
            [
                .username("\(remote.credentials.usernameFragment):\(session.local.usernameFragment)"),
                .priority(pair.local.checkPriority),
                isControlling ? .iceControlling(tieBreaker) : .iceControlled(tieBreaker),
            ])
        if isNominating { message.attributes.append(.useCandidate) }
        return (transaction, message.serialised(integrity: .sha1) { remote.mac.code(over: $0, trailer: nil).bytes })
    }

    /// Retransmits the due checks; a check that has been sent the maximum number of times fails.
    func sendAgain(_ now: Instant) {
        var over: [CheckTransaction] = []
        for index in session.transactions.indices where session.transactions[index].backoff.at <= now {
            let transaction = session.transactions[index]
            if !transaction.isCancelled, session.transactions[index].backoff.sendsAgain(now: now) {
                session.transactions[index].isRepeated = true
                send(transaction.bytes, from: transaction.from, to: transaction.to)
            } else {
                over.append(transaction)
            }
        }
        for transaction in over {
            session.transactions.removeAll { $0.id == transaction.id }
            if !transaction.isCancelled { fail(transaction) }
        }
    }

    /// Marks the pair of a failed check as failed. Exceptions: the selected pair, and, unless the check nominates, a
    /// pair that works or is queued for another check.
    func fail(_ transaction: CheckTransaction) {
        if transaction.isNominating, session.nominating == transaction.pair { session.nominating = nil }
        guard let index = session.index(of: transaction.pair), transaction.pair != session.selected else { return }
        let isTriedAgain = session.triggered.contains(transaction.pair)
        if transaction.isNominating || (session.pairs[index].state == .inProgress && !isTriedAgain) {
            session.pairs[index].state = .failed
        }
    }

    var transactionDeadline: Deadline? {
        session.transactions.map(\.backoff.at).min().map { Deadline(at: $0, why: "check again") }
    }
}
