import HelioCore
import HelioSTUN

// The allocation (RFC 8656 sections 7 and 8).

extension TURNClient {
    func settleAllocate(_ request: TURNRequest, _ outcome: TURNRequest.Outcome, _ now: Instant) {
        switch outcome {
        case .success(let message):
            if isClosing { return self.request(.release, now) }
            guard let relayed = message.relayedAddress, relayed.family == server.relayedFamily, relayed.port != 0,
                !relayed.ip.isUnspecified, extend(message, request)
            else { return fail(.badAnswer) }
            state = .allocated
            relayedAddress = relayed
            let mapped = message.mappedAddress.map(onServersProtocol)
            outputs.append(.event(.allocated(relayed: relayed, mapped: mapped)))
        case .refused(STUNErrorCode.tryAlternate, let alternate): redirect(to: alternate)
        case .refused(let code, _): fail(TURNFailure(allocateError: code))
        case .timedOut: fail(.timedOut)
        case .forged: fail(.forged)
        }
    }

    /// The address with the transport protocol of the connection to the server, which STUN address attributes lack.
    private func onServersProtocol(_ address: TransportAddress) -> TransportAddress {
        TransportAddress(address.ip, port: address.port, transport: self.address.transport)
    }

    /// Redirects the client to another server (RFC 8489 section 10), where the authentication starts again.
    private func redirect(to alternate: TransportAddress?) {
        guard let alternate = alternate.map(onServersProtocol), alternate.family == address.family,
            alternate != address, alternate.port != 0, !alternate.ip.isUnspecified,
            redirections < settings.maximumRedirections, !isClosing
        else { return fail(.badRedirection) }
        redirections += 1
        address = alternate
        state = .idle
        outputs.append(.event(.redirected(to: alternate)))
    }

    func settleRefresh(_ request: TURNRequest, _ outcome: TURNRequest.Outcome, _ now: Instant) {
        switch outcome {
        case .success(let message): if !extend(message, request) { fail(.allocationLost) }
        case .refused(let code, _): fail(TURNFailure(refreshError: code))
        // Repeat the refresh until the allocation expires.
        case .timedOut, .forged: refreshAt = now
        }
        keepAllocation(now)
    }

    /// Sets the expiry and refresh times of the allocation. Returns false if the server grants no lifetime.
    private func extend(_ message: STUNMessage, _ request: TURNRequest) -> Bool {
        guard let seconds = message.lifetime, seconds > 0 else { return false }
        // A server may grant years, but limit the lifetime to one hour: an early refresh does no harm.
        let lifetime = Duration.seconds(min(Int64(seconds), 3600))
        expiresAt = request.startedAt + lifetime
        refreshAt = request.startedAt + max(lifetime / 2, lifetime - settings.refreshMargin)
        return true
    }

    private var isRefreshing: Bool { requests.contains { $0.purpose == .refresh } }

    func keepAllocation(_ now: Instant) {
        guard isAllocated, let expiresAt, let refreshAt else { return }
        if expiresAt <= now { return fail(.expired) }
        if refreshAt <= now, !isRefreshing { request(.refresh, now) }
    }

    var allocationDeadline: Deadline? {
        let end = expiresAt.map { Deadline(at: $0, why: "allocation ends") }
        return isRefreshing ? end : .earliest(end, refreshAt.map { Deadline(at: $0, why: "refresh of allocation") })
    }
}
