import HelioCore
import HelioProtection

// The handshake (RFC 9260 section 5), which both ends may begin at once, and shutdown (section 9).

extension SCTPAssociation {
    mutating func sendInitiation() {
        var packet = newPacket(tag: 0)
        initiation(tag: localTag, initialTSN: localInitialTSN).write(as: .initiation, into: &packet)
        queuePacket(packet)
        handshakeAt = now + timeout.current
    }

    mutating func sendCookie() {
        guard let peer else { return }
        var packet = newPacket(tag: peer.tag)
        packet.appendChunk(.cookieEcho) { $0 += cookie }
        queuePacket(packet)
        handshakeAt = now + timeout.current
    }

    private func initiation(tag: UInt32, initialTSN: UInt32) -> InitiationChunk {
        var chunk = InitiationChunk(
            tag: tag, window: UInt32(clamping: configuration.receiveWindow), outboundStreams: configuration.streams,
            inboundStreams: configuration.streams, initialTSN: initialTSN)
        chunk.supportsForwardTSN = true
        chunk.supportsReconfiguration = true
        chunk.acceptsZeroChecksum = configuration.acceptsZeroChecksum
        return chunk
    }

    mutating func handshakeTimedOut() {
        attempts += 1
        guard attempts <= configuration.maximumInitiations else { return end(.noAnswer) }
        timeout.expired()
        if state == .cookieWait { sendInitiation() } else { sendCookie() }
    }

    /// Answers an INIT. This does not change the state of the association (RFC 9260 sections 5.1 and 5.2).
    mutating func handleInitiation(_ item: ChunkReader.Item, _ packet: RawSpan) {
        guard let theirs = InitiationChunk.parse(item, in: packet) else { return counted.count(.badChunk) }
        guard state != .shutdownAckSent else { return sendShutdownAck() }
        var tag = localTag
        var initialTSN = localInitialTSN
        var cookie = StateCookie(
            made: now, localTag: tag, localInitialTSN: initialTSN, peer: PeerTerms(theirs), tieLocal: 0, tiePeer: 0)
        if isOpen, let peer {
            // The peer may have restarted: its new association gets a new tag and initial TSN (section 5.2.2).
            (tag, initialTSN) = freshNumbers()
            cookie.localTag = tag
            cookie.localInitialTSN = initialTSN
            cookie.tieLocal = localTag
            cookie.tiePeer = peer.tag
        }
        var answer = initiation(tag: tag, initialTSN: initialTSN)
        answer.cookie = cookie.serialised(mac)
        answer.unrecognized = theirs.unrecognized
        var packet = newPacket(tag: theirs.tag)
        answer.write(as: .initiationAck, into: &packet)
        queuePacket(packet)
    }

    /// Returns a new tag and initial TSN. They are derived from the cookie key, so that no random generator is needed.
    private mutating func freshNumbers() -> (tag: UInt32, initialTSN: UInt32) {
        restarts += 1
        var label = Array("association numbers".utf8)
        label.append(bigEndian: restarts)
        let code = mac.code(over: label.span.bytes, trailer: nil).bytes
        let bytes = code.span.bytes
        return (max(1, bytes.uint32(at: 0) ?? 1), bytes.uint32(at: 4) ?? 0)
    }

    mutating func handleInitiationAck(_ item: ChunkReader.Item, _ packet: RawSpan) {
        guard state == .cookieWait else { return counted.count(.unexpectedChunk) }
        guard let theirs = InitiationChunk.parse(item, in: packet), let cookie = theirs.cookie,
            cookie.count <= configuration.packetSize - SCTPHeader.size - 4
        else { return counted.count(.badChunk) }
        adopt(PeerTerms(theirs))
        self.cookie = cookie
        state = .cookieEchoed
        attempts = 0
        sendCookie()
    }

    /// Handles a COOKIE-ECHO. The letters are the cases in the table of RFC 9260 section 5.2.4.
    mutating func handleCookieEcho(_ item: ChunkReader.Item, _ packet: RawSpan, tag: UInt32) {
        guard let cookie = StateCookie.parse(item.value, in: packet, mac), tag == cookie.localTag else {
            return counted.count(.badCookie)
        }
        guard state != .shutdownAckSent else { return sendShutdownAck() }
        let isLocal = cookie.localTag == localTag
        let isPeer = cookie.peer.tag == peer?.tag
        if now - cookie.made > configuration.cookieLifetime, !(isLocal && isPeer) {
            counted.count(.staleCookie)
            return sendStaleCookie(cookie)
        }
        switch (isLocal, isPeer) {
        case (true, true):
            // Action D of RFC 9260 section 5.2.4: both ends began a handshake, or the peer repeats the cookie because
            // our COOKIE-ACK was lost.
            break
        case (true, false):
            // Action B, or the first handshake. A delayed cookie must not replace an open association.
            guard !isOpen else { return counted.count(.unexpectedChunk) }
            adopt(cookie.peer)
        case (false, false):
            // A: the peer has restarted.
            guard isOpen, cookie.tieLocal == localTag, cookie.tiePeer == peer?.tag else {
                return counted.count(.unexpectedChunk)
            }
            restart(cookie)
        case (false, true):
            // C: a delayed cookie.
            return counted.count(.unexpectedChunk)
        }
        if !isOpen { establish() }
        answer { $0.appendChunk(.cookieAck) { _ in } }
    }

    private mutating func sendStaleCookie(_ cookie: StateCookie) {
        var packet = newPacket(tag: cookie.peer.tag)
        let late = (now - cookie.made - configuration.cookieLifetime).nanoseconds / 1000
        packet.appendChunk(.error) { $0.appendParameter(3) { $0.append(bigEndian: UInt32(clamping: late)) } }
        queuePacket(packet)
    }

    mutating func handleCookieAck() {
        if state == .cookieEchoed { return establish() }
        // If both ends began a handshake, the peer's cookie may have opened the association already.
        if !isOpen { counted.count(.unexpectedChunk) }
    }

    /// Handles an ERROR chunk. Only the cause "stale cookie" has an effect: a new cookie is requested.
    mutating func handleError(_ item: ChunkReader.Item, _ packet: RawSpan) {
        guard state == .cookieEchoed, packet.uint16(at: item.value.lowerBound) == 3, item.value.count >= 4 else {
            return
        }
        attempts += 1
        guard attempts <= configuration.maximumInitiations else { return end(.noAnswer) }
        state = .cookieWait
        sendInitiation()
    }

    private mutating func adopt(_ terms: PeerTerms) {
        guard terms != peer || inbound == nil else { return }
        peer = terms
        inbound = ReceiveBuffer(
            initialTSN: terms.initialTSN, capacity: configuration.receiveWindow,
            maximumMessageSize: configuration.maximumMessageSize,
            streams: min(configuration.streams, terms.outboundStreams))
        peerWindow = Int(terms.window)
        resets.expected = terms.initialTSN
    }

    private mutating func establish() {
        state = .established
        cookie = []
        attempts = 0
        errors = 0
        handshakeAt = nil
        scheduleHeartbeat()
        outputs.append(.connected)
    }

    private mutating func restart(_ cookie: StateCookie) {
        localTag = cookie.localTag
        localInitialTSN = cookie.localInitialTSN
        let first = TransmissionSequence(initial: localInitialTSN)
        counted = drops
        queue = SendQueue()
        outstanding = Outstanding(initial: first)
        forwardPoint = first - 1
        isForwardDue = false
        window = CongestionWindow(packetSize: configuration.packetSize)
        timed = nil
        retransmitsAt = nil
        acknowledging = .nothing
        acknowledgesAt = nil
        duplicates = []
        errors = 0
        resets = StreamResets(localInitialTSN: localInitialTSN, peerInitialTSN: cookie.peer.initialTSN)
        resetAt = nil
        answers.removeAll()
        releaseMessages()
        inbound = nil
        state = .established
        shutdownAt = nil
        adopt(cookie.peer)
        outputs.append(.restarted)
    }

    // MARK: - Shutdown

    /// Sends SHUTDOWN or SHUTDOWN-ACK if a shutdown is pending and all data has been acknowledged.
    mutating func finishShutdown() {
        guard state == .shutdownPending || state == .shutdownReceived, isIdle else { return }
        attempts = 0
        if state == .shutdownPending {
            state = .shutdownSent
            sendShutdown()
        } else {
            sendShutdownAck()
        }
    }

    mutating func sendShutdown() {
        guard let peer, let inbound else { return }
        var packet = newPacket(tag: peer.tag)
        packet.appendChunk(.shutdown) { $0.append(bigEndian: inbound.map.cumulative.wire) }
        queuePacket(packet)
        shutdownAt = now + timeout.current
    }

    mutating func sendShutdownAck() {
        guard let peer else { return }
        state = .shutdownAckSent
        var packet = newPacket(tag: peer.tag)
        packet.appendChunk(.shutdownAck) { _ in }
        queuePacket(packet)
        shutdownAt = now + timeout.current
    }

    mutating func shutdownTimedOut() {
        attempts += 1
        guard attempts <= configuration.maximumRetransmissions else { return end(.unreachable) }
        timeout.expired()
        if state == .shutdownSent { sendShutdown() } else { sendShutdownAck() }
    }

    mutating func handleShutdown(_ item: ChunkReader.Item, _ packet: RawSpan) {
        guard let cumulative = packet.uint32(at: item.value.lowerBound), item.value.count >= 4 else {
            return counted.count(.badChunk)
        }
        switch state {
        case .established, .shutdownPending, .shutdownReceived:
            state = .shutdownReceived
            acknowledge(upTo: cumulative)
        case .shutdownSent: sendShutdownAck()
        default: counted.count(.unexpectedChunk)
        }
    }

    mutating func handleShutdownAck() {
        guard let peer, state == .shutdownSent || state == .shutdownAckSent || state == .ended else {
            return counted.count(.unexpectedChunk)
        }
        var packet = newPacket(tag: peer.tag)
        packet.appendChunk(.shutdownComplete) { _ in }
        queuePacket(packet)
        end(.shutdown)
    }

    mutating func handleShutdownComplete() {
        guard state == .shutdownAckSent else { return counted.count(.unexpectedChunk) }
        end(.shutdown)
    }
}
