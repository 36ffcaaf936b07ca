import HelioCore
import HelioSTUN

// Messages from the server, and data in both directions (RFC 8656 sections 11 and 12).

extension TURNClient {
    // MARK: From the server

    func handle(_ bytes: [UInt8], _ now: Instant) {
        switch state {
        case .idle, .ended: return drops.count(.unexpected)
        case .allocating, .allocated, .closing: break
        }
        guard server.isTCP else { return receiveMessage(bytes, now) }
        framer.append(bytes)
        do throws(STUNStreamFramer.Desynchronised) {
            while let message = try framer.next() {
                receiveMessage(message, now)
                switch state {
                // The client was redirected or has ended, so ignore the rest of the stream.
                case .idle, .ended: return
                case .allocating, .allocated, .closing: break
                }
            }
        } catch {
            drops.count(.notTURN)
            fail(.notTURN)
        }
    }

    private func receiveMessage(_ bytes: [UInt8], _ now: Instant) {
        switch DatagramKind(bytes.span.bytes) {
        case .channelData: receiveChannelData(bytes, now)
        case .stun: receiveSTUN(bytes, now)
        case .zrtp, .dtls, .rtp, .rtcp, .plain, .unknown: drops.count(.notTURN)
        }
    }

    private func receiveSTUN(_ bytes: [UInt8], _ now: Instant) {
        let packet: STUNPacket
        do {
            packet = try STUNPacket(parsing: bytes.span.bytes)
        } catch {
            return drops.count(error == .notSTUN ? .notTURN : .malformed)
        }
        switch packet.message.kind {
        case .success, .error: handleAnswer(packet, bytes, now)
        case .indication where packet.message.method == .data: receiveIndication(packet.message, now)
        case .indication, .request: drops.count(.unexpected)
        }
    }

    private func receiveIndication(_ message: STUNMessage, _ now: Instant) {
        guard message.unknownRequired.isEmpty else { return drops.count(.unknownAttribute) }
        guard let peer = message.peerAddress, let data = message.data else { return drops.count(.malformed) }
        guard let index = permissions.firstIndex(where: { $0.ip == peer.ip }), mayBeGiven(permissions[index], now)
        else { return drops.count(.unknownPeer) }
        permissions[index].usedAt = now
        if let known = peers.firstIndex(where: { $0.address == peer }) {
            peers[known].isHeard = true
            peers[known].usedAt = now
        }
        outputs.append(.event(.data(data, from: peer)))
    }

    /// Returns true if the permission is valid or has been requested, as the peer's data may overtake the server's
    /// answer.
    private func mayBeGiven(_ permission: TURNPermission, _ now: Instant) -> Bool {
        if permission.isValid(now) { return true }
        return if case .asking = permission.step { true } else { false }
    }

    private func receiveChannelData(_ bytes: [UInt8], _ now: Instant) {
        guard let message = ChannelData(parsing: bytes.span.bytes) else { return drops.count(.malformed) }
        guard let index = peers.firstIndex(where: { $0.channel?.number == message.channel }),
            let channel = peers[index].channel, mayBeBound(channel, now)
        else { return drops.count(.unknownChannel) }
        peers[index].usedAt = now
        let peer = peers[index].address
        if let known = permissions.firstIndex(where: { $0.ip == peer.ip }) { permissions[known].usedAt = now }
        outputs.append(.event(.data(message.data, from: peer)))
    }

    private func mayBeBound(_ channel: TURNPeer.Channel, _ now: Instant) -> Bool {
        if channel.isValid(now) { return true }
        return if case .asking = channel.step { true } else { false }
    }

    // MARK: To a peer

    func send(_ bytes: [UInt8], to peer: TransportAddress, _ now: Instant) {
        guard isAllocated else { return drops.count(.noAllocation) }
        guard peer.family == server.relayedFamily, peer.transport == .udp else { return drops.count(.wrongFamily) }
        guard bytes.count <= settings.maximumData else { return drops.count(.tooLong) }
        let index = permission(for: peer.ip, now)
        permissions[index].usedAt = now
        if permissions[index].isValid(now) {
            relay(bytes, to: peer, now)
        } else if permissions[index].isRefused {
            drops.count(.refused)
        } else {
            hold(bytes, to: peer, index)
        }
    }

    /// Sends data to a permitted peer, on its channel or in a Send indication.
    func relay(_ bytes: [UInt8], to address: TransportAddress, _ now: Instant) {
        let index = peer(at: address, now)
        peers[index].usedAt = now
        if let channel = peers[index].channel {
            // The channel was idle and not renewed; bind it again.
            if case .resting = channel.step, channel.expiresAt != nil { peers[index].channel?.step = .wanted }
            if channel.isValid(now) {
                let message = ChannelData(channel: channel.number, data: bytes)
                return outputs.append(.send(message.serialised(padded: server.isTCP)))
            }
        } else if peers[index].isHeard {
            wantChannel(index)
        }
        let transaction = STUNTransactionID(using: &random)
        let message = STUNMessage(.indication, .send, transaction, [.xorPeerAddress(address), .data(bytes)])
        outputs.append(.send(message.serialised(fingerprint: false)))
    }

    private func peer(at address: TransportAddress, _ now: Instant) -> Int {
        if let index = peers.firstIndex(where: { $0.address == address }) { return index }
        if peers.count >= settings.maximumPeers,
            let oldest = peers.indices.filter({ peers[$0].channel == nil })
                .min(by: { peers[$0].usedAt < peers[$1].usedAt })
        {
            peers.remove(at: oldest)
        }
        peers.append(TURNPeer(address: address, usedAt: now))
        return peers.count - 1
    }
}
