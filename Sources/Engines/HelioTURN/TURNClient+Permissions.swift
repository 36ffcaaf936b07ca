import HelioCore
import HelioSTUN

// Permissions, with which the server relays data to and from a peer (RFC 8656 sections 9 and 10).

extension TURNClient {
    func permit(_ ip: IPAddress, _ now: Instant) {
        switch state {
        case .idle, .allocating, .allocated: break
        case .closing, .ended: return
        }
        guard ip.family == server.relayedFamily else { return drops.count(.wrongFamily) }
        permissions[permission(for: ip, now)].usedAt = now
    }

    /// Returns the index of the permission for an address, adding it to the requested permissions if there is none.
    func permission(for ip: IPAddress, _ now: Instant) -> Int {
        if let index = permissions.firstIndex(where: { $0.ip == ip }) { return index }
        if permissions.count >= settings.maximumPermissions,
            let oldest = permissions.indices.min(by: { permissions[$0].usedAt < permissions[$1].usedAt })
        {
            // The evicted permission stays valid at the server until it expires.
            let forgotten = permissions.remove(at: oldest)
            drops.count(.tooMany, max(1, forgotten.held.count))
        }
        permissions.append(TURNPermission(ip: ip, usedAt: now))
        return permissions.count - 1
    }

    func hold(_ bytes: [UInt8], to peer: TransportAddress, _ index: Int) {
        // Drop the oldest packet, as protocols retransmit unanswered packets.
        if permissions[index].held.count >= settings.maximumHeldOfPeer {
            permissions[index].held.removeFirst()
            drops.count(.tooMany)
        }
        guard permissions.reduce(0, { $0 + $1.held.count }) < settings.maximumHeld else {
            return drops.count(.tooMany)
        }
        permissions[index].held.append((bytes, peer))
    }

    func settlePermission(
        _ ip: IPAddress, _ request: TURNRequest, _ outcome: TURNRequest.Outcome, _ now: Instant
    ) {
        // The permission may have been evicted since the request.
        guard let index = permissions.firstIndex(where: { $0.ip == ip }) else { return }
        switch outcome {
        case .success:
            permissions[index].step = .given(
                renewedAt: request.startedAt + settings.permissionLifetime - settings.renewalMargin)
            permissions[index].expiresAt = request.startedAt + settings.permissionLifetime
            let held = permissions[index].held
            permissions[index].held = []
            for (bytes, peer) in held { relay(bytes, to: peer, now) }
        case .refused(STUNErrorCode.allocationMismatch, _): fail(.allocationLost)
        case .refused:
            permissions[index].step = .refused(until: now + settings.refusalPause)
            permissions[index].expiresAt = nil
            dropHeld(index)
        // Repeat the request until the allocation ends.
        case .timedOut, .forged:
            permissions[index].step = .wanted
            if !permissions[index].isValid(now) { dropHeld(index) }
        }
    }

    private func dropHeld(_ index: Int) {
        guard !permissions[index].held.isEmpty else { return }
        drops.count(.refused, permissions[index].held.count)
        permissions[index].held = []
    }

    func keepPermissions(_ now: Instant) {
        guard isAllocated else { return }
        for index in permissions.indices.reversed() {
            switch permissions[index].step {
            case .given(let renewal) where renewal <= now: permissions[index].step = .wanted
            case .refused(let end) where end <= now: permissions.remove(at: index)
            default: break
            }
        }
    }

    var permissionDeadline: Deadline? {
        permissions.reduce(nil as Deadline?) { earliest, permission in
            .earliest(earliest, permission.wakesAt.map { Deadline(at: $0, why: "renewal of permission") })
        }
    }
}
