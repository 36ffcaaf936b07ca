import HelioCore
import HelioProtection
import HelioSTUN

// Received messages: the peer's checks (RFC 8445 section 7.3), and the answers to our checks (section 7.2.5).

extension ICEAgent {
    /// The number of checks remembered to detect replays.
    private static let memory = 256

    func handle(_ bytes: [UInt8], from: TransportAddress, onLocal base: TransportAddress, _ now: Instant) {
        let packet: STUNPacket
        do {
            packet = try STUNPacket(parsing: bytes.span.bytes)
        } catch {
            return drops.count(error == .notSTUN ? .notSTUN : .malformed)
        }
        guard packet.message.method == .binding else { return drops.count(.unknownMethod) }
        switch packet.message.kind {
        case .request: receiveCheck(packet, bytes, from: from, base, now)
        case .success, .error: receiveAnswer(packet, bytes, from: from, base, now)
        case .indication: drops.count(.indication)
        }
    }

    private func isGenuine(_ packet: STUNPacket, _ bytes: [UInt8], _ mac: any MACContext) -> Bool {
        guard let seal = packet.seals[.sha1] else { return false }
        let covered = packet.covered(by: seal, of: bytes.span.bytes)
        // The MESSAGE-INTEGRITY value is not truncated: the parser rejects a shorter SHA-1 value.
        return mac.code(over: covered.span.bytes, trailer: nil).matches(seal.code.span.bytes)
    }

    // MARK: Checks of the peer

    private func receiveCheck(
        _ packet: STUNPacket, _ bytes: [UInt8], from: TransportAddress, _ base: TransportAddress, _ now: Instant
    ) {
        let message = packet.message
        guard let username = message.username, packet.seals[.sha1] != nil else { return drops.count(.unauthenticated) }
        let colon = username.utf8.firstIndex(of: UInt8(ascii: ":")) ?? username.endIndex
        let (name, asker) = (username[..<colon], username[colon...].dropFirst())
        if name == session.local.usernameFragment {
            guard isGenuine(packet, bytes, session.mac) else { return drops.count(.badIntegrity) }
            guard session.isPeer(asker) else { return drops.count(.unknownPeer) }
            receiveCheck(message, from: from, base, now)
        } else if let former, name == former.session.local.usernameFragment {
            guard isGenuine(packet, bytes, former.session.mac) else { return drops.count(.badIntegrity) }
            guard former.session.isPeer(asker) else { return drops.count(.unknownPeer) }
            // The path from before the restart still carries data: its checks are answered, but select no pair.
            answer(message, .success, [.xorMappedAddress(from)], former.session.mac, from: base, to: from)
            if settings.isLite, base == former.pair.local.base, from == former.pair.remote.address {
                self.former?.consent.renew(now: now, keepalive: settings.keepalive)
            }
        } else {
            drops.count(.unknownUser)
        }
    }

    /// Handles an authenticated check.
    private func receiveCheck(
        _ message: STUNMessage, from: TransportAddress, _ base: TransportAddress, _ now: Instant
    ) {
        guard local(at: base) != nil else { return drops.count(.unknownLocal) }
        let sight = remember(message.transaction, from: from, base)
        let isFirst = sight != .elsewhere
        if !isFirst { drops.count(.replayed) }
        if sight == .new { session.heard(base: base, remote: from, now: now) }
        let unknown = message.unknownRequired
        guard unknown.isEmpty else {
            drops.count(.unknownAttribute)
            let error = STUNErrorCode(STUNErrorCode.unknownAttribute, "Unknown Attribute")
            return answer(
                message, .error, [.errorCode(error), .unknownAttributes(unknown)], session.mac, from: base, to: from)
        }
        guard state != .failed else { return }
        guard !isFirst || settleRole(message) else {
            drops.count(.roleConflict)
            let error = STUNErrorCode(STUNErrorCode.roleConflict, "Role Conflict")
            return answer(message, .error, [.errorCode(error)], session.mac, from: base, to: from)
        }
        // A replayed check is answered too: otherwise an attacker whose copy arrives first could suppress the answer to
        // the peer's own check.
        answer(message, .success, [.xorMappedAddress(from)], session.mac, from: base, to: from)
        guard isFirst else { return }
        session.activeAt = now
        let check = ICESession.HeldCheck(
            from: from, base: base, priority: message.priority ?? 1, usesCandidate: message.usesCandidate,
            isNew: sight == .new)
        if session.remote != nil || settings.isLite { follow(check, now) } else { hold(check) }
    }

    /// The novelty of a check's transaction ID: new, or received before.
    private enum Sight {
        case new
        /// The ID was received before on the same path: a retransmission.
        case again
        /// The ID was received before on another path: a replay.
        case elsewhere
    }

    private func remember(
        _ transaction: STUNTransactionID, from: TransportAddress, _ base: TransportAddress
    ) -> Sight {
        if let seen = session.seen.last(where: { $0.transaction == transaction }) {
            return seen.from == from && seen.base == base ? .again : .elsewhere
        }
        if session.seen.count == Self.memory { session.seen.removeFirst() }
        session.seen.append(.init(transaction: transaction, from: from, base: base))
        return .new
    }

    /// The host or relayed candidate with this base, which may be the local end of a TCP connection.
    private func local(at base: TransportAddress) -> LocalCandidate? {
        locals.first { $0.base == base && $0.address == base && !$0.needsConnection }
            ?? session.pairs.first { $0.local.base == base && !$0.local.needsConnection }?.local
    }

    private func hold(_ check: ICESession.HeldCheck) {
        if let index = session.held.firstIndex(where: { $0.from == check.from && $0.base == check.base }) {
            if check.usesCandidate { session.held[index].usesCandidate = true }
        } else if session.held.count < settings.maximumHeldChecks {
            session.held.append(check)
        } else {
            drops.count(.tooMany)
        }
    }

    /// Resolves a role conflict (section 7.3.1.1): the end with the greater tie-breaker gets the controlling role.
    /// Returns false if the peer has to switch its role.
    private func settleRole(_ message: STUNMessage) -> Bool {
        if isControlling, let theirs = message.controlling {
            if settings.isLite { return switchedRole() }
            if tieBreaker >= theirs { return false }
            return switchedRole()
        }
        if !isControlling, let theirs = message.controlled {
            // A lite agent never controls a full one.
            if settings.isLite || tieBreaker < theirs { return false }
            return switchedRole()
        }
        return true
    }

    private func switchedRole() -> Bool {
        switchRole()
        return true
    }

    private func answer(
        _ request: STUNMessage, _ kind: STUNClass, _ attributes: [STUNAttribute], _ mac: any MACContext,
        from base: TransportAddress, to: TransportAddress
    ) {
        let message = STUNMessage(kind, .binding, request.transaction, attributes)
        send(message.serialised(integrity: .sha1) { mac.code(over: $0, trailer: nil).bytes }, from: base, to: to)
    }

    /// Processes a check of the peer after the answer: learns the peer's address, and triggers a check of the same pair
    /// from this end (section 7.3.1.4).
    func follow(_ check: ICESession.HeldCheck, _ now: Instant) {
        guard let local = local(at: check.base),
            let remote = remoteCandidate(at: check.from, priority: check.priority),
            let index = pair(local, remote, isSignalled: false, now)
        else { return }
        if !isControlling || settings.isLite { noteNomination(check, index, now) }
        if settings.isLite {
            session.pairs[index].state = .succeeded
            session.pairs[index].provenAt = now
            let id = session.pairs[index].id
            if check.usesCandidate, check.isNew { selectAsControlled(index, now) }
            if id == session.selected { session.consent?.renew(now: now, keepalive: settings.keepalive) }
            return
        }
        switch session.pairs[index].state {
        case .succeeded where session.pairs[index].isSilent: session.askSoon(index)
        case .succeeded:
            if check.usesCandidate { selectAsControlled(index, now) }
        case .inProgress:
            session.cancelChecks(of: session.pairs[index].id, now: now)
            session.trigger(index)
        case .frozen, .waiting, .failed: session.trigger(index)
        }
    }

    // MARK: Answers

    private func receiveAnswer(
        _ packet: STUNPacket, _ bytes: [UInt8], from: TransportAddress, _ base: TransportAddress, _ now: Instant
    ) {
        let message = packet.message
        if handleServerAnswer(message, from: from, onLocal: base, now) { return }
        if let place = session.transactions.firstIndex(where: { $0.id == message.transaction }),
            let remote = session.remote
        {
            guard isGenuine(packet, bytes, remote.mac) else { return drops.count(.badIntegrity) }
            let transaction = session.transactions.remove(at: place)
            session.activeAt = now
            session.heard(base: base, remote: from, now: now)
            guard transaction.to == from, transaction.from == base else {
                drops.count(.asymmetric)
                return fail(transaction)
            }
            guard message.unknownRequired.isEmpty else {
                drops.count(.uselessAnswer)
                return fail(transaction)
            }
            message.kind == .success
                ? succeed(transaction, message, now) : receiveError(transaction, message.errorCode?.code, now)
            return
        }
        receiveConsent(packet, bytes, from: from, base, now)
    }

    private func succeed(_ transaction: CheckTransaction, _ message: STUNMessage, _ now: Instant) {
        guard message.mappedAddress != nil else {
            drops.count(.uselessAnswer)
            return fail(transaction)
        }
        guard let index = session.index(of: transaction.pair) else { return }
        session.pairs[index].state = .succeeded
        session.pairs[index].provenAt = now
        if !transaction.isRepeated { session.pairs[index].roundTrip = now - transaction.sentAt }
        session.pairs[index].isSilent = false
        session.triggered.removeAll { $0 == transaction.pair }
        session.cancelChecks(of: transaction.pair, now: now)
        if session.validSince == nil { session.validSince = now }
        // Section 7.2.5.3.3: pairs with the same foundation are likely to work as well.
        let foundation = session.pairs[index].foundation
        for other in session.pairs.indices
        where session.pairs[other].state == .frozen && session.pairs[other].foundation == foundation {
            session.pairs[other].state = .waiting
        }
        if transaction.isNominating {
            // Another pair may have been nominated while this check was unanswered.
            let isMeant = session.nominating == transaction.pair || session.selected == nil
            if session.nominating == transaction.pair { session.nominating = nil }
            if isControlling, transaction.asControlling, isMeant { select(index, now) }
        } else if session.pairs[index].isNominatedByPeer {
            selectAsControlled(index, now)
        }
    }

    private func receiveError(_ transaction: CheckTransaction, _ code: UInt16?, _ now: Instant) {
        guard code == STUNErrorCode.roleConflict else { return fail(transaction) }
        drops.count(.roleConflict)
        // Section 7.2.5.1: this end switches its role, unless that has changed since the check was sent.
        if transaction.asControlling == isControlling { yieldRole() }
        if transaction.isNominating, session.nominating == transaction.pair { session.nominating = nil }
        if let index = session.index(of: transaction.pair), session.pairs[index].state != .succeeded {
            session.trigger(index)
        }
    }

    private func receiveConsent(
        _ packet: STUNPacket, _ bytes: [UInt8], from: TransportAddress, _ base: TransportAddress, _ now: Instant
    ) {
        let transaction = packet.message.transaction
        var isConflict = false
        func grants(_ session: ICESession, _ pair: CandidatePair, _ consent: inout Consent) -> Bool {
            guard let remote = session.remote, isGenuine(packet, bytes, remote.mac) else {
                drops.count(.badIntegrity)
                return false
            }
            guard from == pair.remote.address, base == pair.local.base else {
                drops.count(.asymmetric)
                return false
            }
            guard packet.message.kind == .success else {
                drops.count(.uselessAnswer)
                // A conflict counts only once per request, and only if the role has not changed since the request.
                let asked = consent.refused(transaction)
                isConflict = packet.message.errorCode?.code == STUNErrorCode.roleConflict && asked == isControlling
                return false
            }
            return true
        }
        if let pair = session.selectedPair, var consent = session.consent, consent.awaits(transaction) {
            if grants(session, pair, &consent) {
                session.heard(base: base, remote: from, now: now)
                let asked = consent.granted(transaction, now: now)
                if let asked, let index = session.index(of: pair.id) { session.pairs[index].roundTrip = now - asked }
            }
            session.consent = consent
        } else if let former, former.consent.awaits(transaction) {
            var consent = former.consent
            if grants(former.session, former.pair, &consent) { _ = consent.granted(transaction, now: now) }
            self.former?.consent = consent
        } else {
            drops.count(.unknownTransaction)
        }
        if isConflict { yieldRole() }
    }
}
