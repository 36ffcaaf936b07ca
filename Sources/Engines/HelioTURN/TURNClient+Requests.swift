import HelioCore
import HelioSTUN

// Requests, their retransmission (RFC 8489 section 6.2) and their authentication (section 9.2).

extension TURNClient {
    /// Sends a request with a new transaction ID, signed if the server's challenge is known.
    ///
    /// - Parameter challenges: the number of times that the request was already repeated after a challenge.
    func request(_ purpose: TURNRequest.Purpose, challenges: Int = 0, _ now: Instant) {
        let transaction = STUNTransactionID(using: &random)
        let message = STUNMessage(.request, purpose.method, transaction, attributes(of: purpose))
        let bytes = credentials?.sign(message) ?? message.serialised()
        requests.append(
            TURNRequest(
                purpose: purpose, transaction: transaction, bytes: bytes, credentials: credentials, startedAt: now,
                challenges: challenges, backoff: newBackoff(now)))
        outputs.append(.send(bytes))
    }

    private func attributes(of purpose: TURNRequest.Purpose) -> [STUNAttribute] {
        let lifetime = STUNAttribute.lifetime(UInt32(clamping: settings.lifetime.components.seconds))
        switch purpose {
        case .allocate:
            let udp: UInt8 = 17
            // The attribute is omitted for IPv4, the default, as old servers reject it.
            let family = server.relayedFamily == .ipv4 ? [] : [STUNAttribute.requestedAddressFamily(.ipv6)]
            return [.requestedTransport(udp), lifetime] + family
        case .refresh: return [lifetime]
        case .release: return [.lifetime(0)]
        case .permission(let ip): return [.xorPeerAddress(TransportAddress(ip, port: 0))]
        case .channel(let number, let peer): return [.channelNumber(number), .xorPeerAddress(peer)]
        }
    }

    /// Returns the retransmission timer of a request. With TCP there are no retransmissions, but one timeout as long as
    /// the total over UDP.
    private func newBackoff(_ now: Instant) -> Backoff {
        let waits = (1 << (settings.attempts - 1)) - 1 + settings.lastWait
        return server.isTCP
            ? Backoff(timeout: settings.retransmission * waits, count: 1, lastWait: 1, now: now)
            : Backoff(
                timeout: settings.retransmission, count: settings.attempts, lastWait: settings.lastWait, now: now)
    }

    func sendAgain(_ now: Instant) {
        var index = 0
        while index < requests.count {
            guard requests[index].dueAt <= now else {
                index += 1
                continue
            }
            if let (error, at) = requests[index].doubtful, at <= now {
                settle(requests.remove(at: index), error, now)
            } else if requests[index].backoff.sendsAgain(now: now) {
                outputs.append(.send(requests[index].bytes))
                index += 1
            } else {
                let request = requests.remove(at: index)
                settle(request, request.sawForgery ? .forged : .timedOut, now)
            }
        }
    }

    var requestDeadline: Deadline? {
        requests.reduce(nil as Deadline?) {
            .earliest($0, Deadline(at: $1.dueAt, why: "TURN server does not answer"))
        }
    }

    // MARK: Answers

    func handleAnswer(_ packet: STUNPacket, _ bytes: [UInt8], _ now: Instant) {
        let message = packet.message
        guard
            let index = requests.firstIndex(where: {
                $0.transaction == message.transaction && $0.purpose.method == message.method
            })
        else { return drops.count(.unknownTransaction) }
        let request = requests[index]
        let outcome: TURNRequest.Outcome
        if message.kind == .success {
            outcome = .success(message)
        } else {
            guard let code = message.errorCode?.code else { return drops.count(.malformed) }
            if code == STUNErrorCode.unauthenticated || code == STUNErrorCode.staleNonce {
                return handleChallenge(message, code, index, now)
            }
            outcome = .refused(code, alternate: message.alternateServer)
        }
        if let credentials = request.credentials, !credentials.isGenuine(packet, bytes) {
            drops.count(.forged)
            return doubt(outcome, isSigned: !packet.seals.isEmpty, index, now)
        }
        guard message.unknownRequired.isEmpty else { return drops.count(.unknownAttribute) }
        requests.remove(at: index)
        settle(request, outcome, now)
    }

    /// Handles an answer without a valid MESSAGE-INTEGRITY (section 9.2.5). Over UDP it is ignored; over TCP it ends
    /// the request, as no other answer will arrive.
    ///
    /// Deviation from the RFC: an error response without any MESSAGE-INTEGRITY is accepted if no authentic answer
    /// arrives within `TURNSettings.doubt`, as some servers authenticate only success responses.
    private func doubt(_ outcome: TURNRequest.Outcome, isSigned: Bool, _ index: Int, _ now: Instant) {
        requests[index].sawForgery = true
        var believed = TURNRequest.Outcome.forged
        if case .refused(let code, _) = outcome, !isSigned {
            // Don't let an unauthenticated error redirect the client.
            believed = .refused(code, alternate: nil)
            if !server.isTCP {
                if requests[index].doubtful == nil { requests[index].doubtful = (believed, now + settings.doubt) }
                return
            }
        }
        if server.isTCP { settle(requests.remove(at: index), believed, now) }
    }

    /// Repeats the request with credentials for the server's challenge.
    private func handleChallenge(_ message: STUNMessage, _ code: UInt16, _ index: Int, _ now: Instant) {
        let request = requests[index]
        do throws(TURNFailure) {
            guard
                let next = try TURNCredentials(
                    server, challenge: message, realm: code == STUNErrorCode.staleNonce ? credentials?.realm : nil,
                    crypto: crypto)
            else { return drops.count(.malformed) }
            requests.remove(at: index)
            // The server has rejected the credentials for this realm before.
            if code == STUNErrorCode.unauthenticated, request.credentials?.realm == next.realm {
                throw .wrongCredentials
            }
            guard request.challenges < settings.maximumChallenges else { throw .refused(code) }
            credentials = next
        } catch {
            return fail(error)
        }
        if isClosing, request.purpose == .allocate { return finish() }
        self.request(request.purpose, challenges: request.challenges + 1, now)
    }

    private func settle(_ request: TURNRequest, _ outcome: TURNRequest.Outcome, _ now: Instant) {
        // An unauthentic answer over TCP means that the server does not know the password, or that an attacker controls
        // the connection.
        if server.isTCP, case .forged = outcome { return fail(.forged) }
        switch request.purpose {
        case .allocate: settleAllocate(request, outcome, now)
        case .refresh: settleRefresh(request, outcome, now)
        // The client ends whatever the outcome is.
        case .release: finish()
        case .permission(let ip): settlePermission(ip, request, outcome, now)
        case .channel(let number, let peer): settleChannel(number, peer, request, outcome, now)
        }
    }

    /// Sends the queued requests for permissions and channels, up to the limit of pending requests.
    func ask(_ now: Instant) {
        guard isAllocated else { return }
        var free = settings.maximumRequests - requests.count { $0.purpose.isOfPeer }
        for index in permissions.indices where free > 0 {
            guard case .wanted = permissions[index].step else { continue }
            permissions[index].step = .asking
            request(.permission(permissions[index].ip), now)
            free -= 1
        }
        for index in peers.indices where free > 0 {
            guard let channel = peers[index].channel, case .wanted = channel.step else { continue }
            peers[index].channel?.step = .asking
            request(.channel(channel.number, peers[index].address), now)
            free -= 1
        }
    }
}
