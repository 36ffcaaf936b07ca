import HelioCore
import HelioSTUN

// Local candidates (RFC 8445 section 5.1): those that the driver adds, and the server-reflexive ones found from them.

extension ICEAgent {
    func add(_ candidate: LocalCandidate, _ now: Instant) {
        guard !locals.contains(where: { $0.address == candidate.address && $0.base == candidate.base }) else { return }
        guard locals.count < settings.maximumLocalCandidates else { return drops.count(.tooMany) }
        guard !candidate.address.ip.isUnspecified, !settings.isLite || candidate.kind == .host else {
            return drops.count(.unsupportedCandidate)
        }
        var candidate = candidate
        candidate.foundation = foundation(of: candidate)
        locals.append(candidate)
        outputs.append(.event(.candidate(candidate)))
        switch candidate.kind {
        case .host:
            if candidate.tcpRole == nil { startGathering(candidate) }
            pairWithAll(candidate, now)
        case .relayed: pairWithAll(candidate, now)
        // A reflexive candidate forms no pairs: its checks would be sent from its base, like those of the host
        // candidate (section 6.1.2.4).
        case .serverReflexive, .peerReflexive: break
        }
    }

    func startGathering(_ host: LocalCandidate) {
        guard !settings.isLite, !host.address.ip.isLoopback else { return }
        for server in settings.stunServers where server.family == host.base.family {
            gatherings.append(Gathering(base: host, server: server))
        }
    }

    /// The candidate's foundation (section 5.1.1.3), which candidates of equal kind, base address, server and TCP role
    /// share.
    private func foundation(of candidate: LocalCandidate) -> String {
        let key = FoundationKey(
            kind: candidate.kind, base: candidate.base.ip, server: candidate.server, tcpRole: candidate.tcpRole)
        if let index = foundations.firstIndex(of: key) { return "\(index + 1)" }
        foundations.append(key)
        return "\(foundations.count)"
    }

    // MARK: STUN servers

    /// Sends the next waiting request; returns `false` if there is none.
    func askServer(_ now: Instant) -> Bool {
        guard let index = gatherings.firstIndex(where: { if case .waiting = $0.state { true } else { false } })
        else { return false }
        ask(index, now)
        return true
    }

    private func ask(_ index: Int, _ now: Instant) {
        let transaction = STUNTransactionID(using: &random)
        let bytes = STUNMessage(.request, .binding, transaction).serialised()
        gatherings[index].state = .asking(transaction, bytes, newBackoff(now))
        send(bytes, from: gatherings[index].base.base, to: gatherings[index].server)
    }

    /// Sends the due retransmissions, and the requests that keep NAT bindings alive.
    func gather(_ now: Instant) {
        for index in gatherings.indices {
            switch gatherings[index].state {
            case .asking(let transaction, let bytes, var backoff) where backoff.at <= now:
                if backoff.sendsAgain(now: now) {
                    gatherings[index].state = .asking(transaction, bytes, backoff)
                    send(bytes, from: gatherings[index].base.base, to: gatherings[index].server)
                } else {
                    gatherings[index].state = .failed
                    gatherings[index].isSettled = true
                }
            // The binding is refreshed only until a pair is selected; then the pair's consent checks keep it alive.
            case .answered(let again) where again <= now && keepsBindings: ask(index, now)
            default: break
            }
        }
    }

    private var keepsBindings: Bool { state == .new || state == .checking }

    var gatheringDeadline: Deadline? {
        gatherings.reduce(nil as Deadline?) { earliest, gathering in
            switch gathering.state {
            case .asking(_, _, let backoff): .earliest(earliest, Deadline(at: backoff.at, why: "STUN server again"))
            case .answered(let again) where keepsBindings: .earliest(earliest, Deadline(at: again, why: "keep binding"))
            default: earliest
            }
        }
    }

    /// Handles a STUN server's answer. Returns true if the message answers a pending request to a STUN server.
    func handleServerAnswer(
        _ message: STUNMessage, from: TransportAddress, onLocal base: TransportAddress, _ now: Instant
    ) -> Bool {
        let index = gatherings.firstIndex {
            if case .asking(message.transaction, _, _) = $0.state {
                $0.server == from && $0.base.base == base
            } else {
                false
            }
        }
        guard let index else { return false }
        let gathering = gatherings[index]
        gatherings[index].isSettled = true
        guard message.kind == .success, message.unknownRequired.isEmpty, let mapped = message.mappedAddress,
            mapped.family == base.family
        else {
            gatherings[index].state = .failed
            drops.count(.uselessAnswer)
            return true
        }
        gatherings[index].state = .answered(again: now + settings.keepalive)
        // Without a NAT, the mapped address is the host candidate's own address.
        if !locals.contains(where: { $0.address == mapped && $0.base == base }) {
            add(
                .serverReflexive(mapped, base: base, server: from.ip, preference: gathering.base.preference), now)
        }
        return true
    }
}
