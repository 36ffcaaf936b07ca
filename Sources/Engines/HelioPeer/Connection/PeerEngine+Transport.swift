package import HelioCore
import HelioICE
import HelioProtection
import HelioSDP
import HelioSTUN
import HelioTURN

// Datagrams in and out, ICE, and DTLS over the path that ICE finds.

extension PeerEngine {
    // MARK: Receiving

    func handle(_ bytes: consuming [UInt8], from: TransportAddress, onLocal base: TransportAddress) {
        statistics.datagramsReceived += 1
        statistics.bytesReceived += bytes.count
        guard state != .closed else { return drops.count(.afterEnd) }
        guard !bytes.isEmpty else { return drops.count(.empty) }
        guard let ice else { return drops.count(.beforeDescription) }
        switch DatagramKind(bytes.span.bytes) {
        case .stun: ice.handle(.datagram(bytes, from: from, onLocal: base), now: now)
        case .dtls: receiveDTLS(bytes, from: from, onLocal: base, ice)
        case .rtp: if receiveMedia(bytes, isRTCP: false) { noteHeard(from, base, ice) }
        case .rtcp: if receiveMedia(bytes, isRTCP: true) { noteHeard(from, base, ice) }
        case .plain where configuration.carriesPlainDatagrams: receivePlain(bytes, from: from, onLocal: base, ice)
        case .plain, .zrtp, .channelData, .unknown: drops.count(.unknownProtocol)
        }
    }

    private func noteHeard(_ from: TransportAddress, _ base: TransportAddress, _ ice: ICEAgent) {
        if let path, path.remote == from, path.base == base { ice.pathHeard(now: now) }
    }

    /// Returns true if a connectivity check has verified that the peer uses this address.
    package func isProven(from remote: TransportAddress, onLocal base: TransportAddress) -> Bool {
        ice?.isProven(from: remote, onLocal: base) ?? false
    }

    private func receiveDTLS(
        _ bytes: [UInt8], from: TransportAddress, onLocal base: TransportAddress, _ ice: ICEAgent
    ) {
        // Handshake messages are not authenticated, so accept them only from an address that ICE has verified.
        if let dtls, ice.isProven(from: from, onLocal: base) {
            dtls.handle(bytes, now: handshakeClock.time(at: now))
        } else if failure == nil, earlyDTLS.count < EarlyDatagram.most {
            earlyDTLS.append(EarlyDatagram(bytes: bytes, from: from, base: base))
        } else {
            drops.count(.unproven)
        }
    }

    /// Reports a plain datagram. Its content is not authenticated here, so it has to come from an address that ICE has
    /// verified; and it does not count as a sign of life of the path.
    private func receivePlain(
        _ bytes: [UInt8], from: TransportAddress, onLocal base: TransportAddress, _ ice: ICEAgent
    ) {
        guard ice.isProven(from: from, onLocal: base) else { return drops.count(.unprovenPlain) }
        statistics.plainReceived += 1
        emit(.plain(bytes))
    }

    // MARK: Sending

    /// Sends a datagram as it is, beside DTLS, on the path selected by ICE; drops and counts it if there is no path.
    ///
    /// - Parameter bytes: the first byte is 192 ... 255, and there are at most 1,472.
    package func send(plain bytes: [UInt8], now: Instant) {
        advance(to: now)
        guard configuration.carriesPlainDatagrams, bytes.count <= PeerConnectionConfiguration.largestPlainDatagram,
            DatagramKind(bytes.span.bytes) == .plain
        else { return drops.count(.notPlain) }
        guard path != nil else { return drops.count(.noPath) }
        statistics.plainSent += 1
        send(bytes)
    }

    /// Sends a datagram to the peer on the path selected by ICE; drops it if there is no path.
    func send(_ bytes: [UInt8]) {
        guard let path else { return drops.count(.noPath) }
        send(bytes, from: path.base, to: path.remote)
    }

    private func send(_ bytes: [UInt8], from base: TransportAddress, to remote: TransportAddress) {
        statistics.datagramsSent += 1
        statistics.bytesSent += bytes.count
        if let relay = relay(at: base) { return relay.client.handle(.send(bytes, to: remote), now: now) }
        guard lostRelays.isEmpty || !lostRelays.contains(base) else { return drops.count(.noPath) }
        outputs.append(.datagram(bytes, from: base, to: remote))
    }

    /// Processes outputs of ICE, DTLS, TURN, media or data channels. Returns false if there were no outputs.
    func flow() -> Bool {
        if pollICE() || pollDTLS() {
            settle()
            return true
        }
        return flowRelays() || flowMedia() || flowChannels()
    }

    // MARK: ICE

    @discardableResult
    func pollICE() -> Bool {
        // Computing the ICE agent's path for each media datagram would be costly, so do nothing unless the agent was
        // called.
        guard let ice, ice.steps != seenICESteps else { return false }
        seenICESteps = ice.steps
        var isMoved = false
        while let output = ice.poll() {
            isMoved = true
            switch output {
            case .send(let bytes, let from, let to): send(bytes, from: from, to: to)
            case .resolve(let name): outputs.append(.resolve(name))
            case .connect(let from, let to): outputs.append(.connect(from: from, to: to))
            case .event(.candidate(let candidate)):
                if let text = Self.text(candidate, of: ice) { emit(.candidate(text)) }
            case .event(.gathered): emit(.candidate(nil))
            case .event: break
            }
        }
        let next = state == .closed ? nil : ice.dataPath
        if next != path {
            path = next
            isMoved = true
        }
        if let time = ice.roundTrip, time != roundTrip {
            roundTrip = time
            media?.measured(roundTrip: time, now: now)
        }
        handshakeClock.run(path != nil && !ice.isSilent, now: now)
        return isMoved
    }

    // MARK: DTLS

    /// Creates the DTLS association once a path works and the peer's fingerprint is known.
    func beginDTLS() {
        guard dtls == nil, failure == nil, state != .closed, path != nil,
            let transport = negotiation.agreement?.transport
        else { return handleEarlyDTLS() }
        let expected = transport.remoteFingerprints.compactMap { print in
            DTLSFingerprint.Hash(rawValue: print.hash).flatMap { DTLSFingerprint($0, print.bytes) }
        }
        var terms = DTLSConfiguration(role: transport.role == .client ? .client : .server, expected: expected)
        // Offer SRTP profiles even without media, as media may be negotiated later.
        terms.srtpProfiles = configuration.srtpProfiles
        terms.mtu = configuration.largestDatagram
        terms.handshakeLimit = configuration.handshakeLimit
        guard let made = try? certificates.transport(terms, now: handshakeClock.time(at: now)) else {
            return fail(.noProtection)
        }
        dtls = made
        handleEarlyDTLS()
    }

    /// Passes the stored early datagrams to DTLS if ICE has since verified their source addresses.
    private func handleEarlyDTLS() {
        guard let dtls, let ice, !earlyDTLS.isEmpty else { return }
        let (proven, others) = (
            earlyDTLS.filter { ice.isProven(from: $0.from, onLocal: $0.base) },
            earlyDTLS.filter { !ice.isProven(from: $0.from, onLocal: $0.base) }
        )
        earlyDTLS = others
        for datagram in proven { dtls.handle(datagram.bytes, now: handshakeClock.time(at: now)) }
    }

    @discardableResult
    func pollDTLS() -> Bool {
        var (isMoved, isOver) = (false, false)
        while let output = dtls?.poll() {
            isMoved = true
            switch output {
            case .datagram(let bytes): send(bytes)
            case .connected(let session): stand(session)
            case .data(let bytes): receiveData(bytes)
            case .closed: isOver = true
            case .failed(let reason): fail(.handshake(reason))
            }
        }
        // The peer has closed the DTLS association, and the answering close_notify has been sent.
        if isOver { finish() }
        return isMoved
    }

    /// The text of a trickled candidate. Unlike in a description, it includes the username fragment, which identifies
    /// the ICE generation (RFC 8838).
    private static func text(_ candidate: LocalCandidate, of ice: ICEAgent) -> String? {
        var attribute = candidate.attribute
        attribute.usernameFragment = ice.localCredentials.usernameFragment
        return attribute.attributeValue.map { "candidate:" + $0 }
    }

    private func stand(_ session: DTLSSession) {
        dtlsSession = session
        earlyDTLS = []
        agreeOnMedia()
        connectChannels()
    }
}
