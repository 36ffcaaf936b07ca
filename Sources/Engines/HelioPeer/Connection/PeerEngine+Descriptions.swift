package import HelioCore
import HelioICE
import HelioProtection
package import HelioSDP
import HelioSTUN

// Offers and answers (RFC 8829), and trickled candidates (RFC 8838).

extension PeerEngine {
    /// The maximum number of candidates of each end that are stored until they can be used. The limit is needed as the
    /// peer is not authenticated yet.
    private static let mostEarlyCandidates = 64
    private static let mostGenerations = 8

    // MARK: Transceivers

    /// Adds a track to send, in a section in which the peer offered to receive or in a new section.
    ///
    /// - Parameters:
    ///   - stream: the name of the app's media stream with this track; `nil` for none.
    ///   - track: the track's name, unique within the description; `nil` derives one from `stream`.
    ///   - receives: whether the peer may send in the same section.
    @discardableResult
    package func addTrack(
        _ kind: MediaKind, stream: String? = nil, track: String? = nil, receives: Bool = false, now: Instant
    ) throws(PeerConnectionError) -> Transceiver.ID {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            var source = connection.newStream(stream)
            if let track { source.track = track }
            return try connection.negotiate { (negotiation) throws(NegotiationError) in
                try negotiation.addTrack(kind, source, receives: receives)
            }
        }
    }

    /// Adds a section in which this end only receives.
    @discardableResult
    package func addReceiver(_ kind: MediaKind, now: Instant) throws(PeerConnectionError) -> Transceiver.ID {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            try connection.negotiate { (negotiation) throws(NegotiationError) in
                try negotiation.addTransceiver(kind, .recvonly)
            }
        }
    }

    package func setDirection(
        _ direction: MediaDirection, of id: Transceiver.ID, now: Instant
    ) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            try connection.negotiate { (negotiation) throws(NegotiationError) in
                try negotiation.setDirection(id, direction)
            }
        }
    }

    /// Ends a section permanently, with the next description.
    package func stop(_ id: Transceiver.ID, now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            try connection.negotiate { (negotiation) throws(NegotiationError) in try negotiation.stop(id) }
        }
    }

    // MARK: Descriptions

    /// Makes an offer and sets it as the local description, like `setLocalDescription()` of W3C WebRTC.
    ///
    /// - Parameter restartsICE: true to search for a new path; the present path stays in use as long as it works.
    /// - Returns: the description with the candidates known so far; later candidates trickle.
    package func makeOffer(restartsICE: Bool = false, now: Instant) throws(PeerConnectionError) -> String {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            guard connection.negotiation.state == .stable else {
                throw .negotiation(.wrongState(connection.negotiation.state))
            }
            let agent = try connection.agent(isOfferer: true)
            let restarts = (restartsICE || connection.needsRestart) && connection.negotiation.agreement != nil
            let offer = try connection.restart(agent, if: restarts) { (transport) throws(PeerConnectionError) in
                try connection.negotiate { (negotiation) throws(NegotiationError) in
                    let offer = try negotiation.createOffer(transport)
                    try negotiation.setLocal(offer)
                    return offer
                }
            }
            connection.local = offer.session
            if restarts { connection.needsRestart = false }
            return Self.text(offer.session)
        }
    }

    /// Sets the peer's offer as the remote description; `makeAnswer` has to follow.
    package func takeOffer(_ text: String, now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            let session = try Self.session(text)
            _ = try connection.agent(isOfferer: false)
            try connection.negotiate { (negotiation) throws(NegotiationError) in
                try negotiation.setRemote(offer: session)
            }
        }
    }

    /// The transceivers whose sections the peer's pending offer ends. The answer removes them.
    package var endedByOffer: [Transceiver.ID] { negotiation.endedByOffer }
    /// True if the peer's pending offer restarts ICE.
    package var isRestartOffered: Bool { negotiation.isRestartOffered }

    /// Answers the peer's offer, and applies the result to transport, media and data channels.
    package func makeAnswer(now: Instant) throws(PeerConnectionError) -> String {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            guard connection.negotiation.state == .haveRemoteOffer else {
                throw .negotiation(.wrongState(connection.negotiation.state))
            }
            let agent = try connection.agent(isOfferer: false)
            let before = connection.negotiation
            let answer = try connection.restart(agent, if: before.isRestartOffered) {
                (transport) throws(PeerConnectionError) in
                let answer = try connection.negotiate { (negotiation) throws(NegotiationError) in
                    let answer = try negotiation.createAnswer(transport)
                    try negotiation.setLocal(answer)
                    return answer
                }
                try connection.begin(orElse: before)
                return answer
            }
            connection.local = answer.session
            connection.agreedLocal = answer.session
            return Self.text(answer.session)
        }
    }

    /// Sets the peer's answer, and applies the result to transport, media and data channels.
    package func takeAnswer(_ text: String, now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            let session = try Self.session(text)
            let before = connection.negotiation
            try connection.negotiate { (negotiation) throws(NegotiationError) in
                try negotiation.setRemote(answer: session)
            }
            try connection.begin(orElse: before)
            connection.agreedLocal = connection.local
        }
    }

    /// Discards the pending offer of this end or the peer, together with its ICE restart.
    package func rollback(now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            let isRemote = connection.negotiation.state == .haveRemoteOffer
            try connection.negotiate { (negotiation) throws(NegotiationError) in try negotiation.rollback() }
            if isRemote {
                connection.earlyRemoteCandidates = []
            } else {
                connection.ice?.handle(.cancelRestart, now: connection.now)
                connection.local = connection.agreedLocal
                // The early candidates waited for the answer to an ICE restart, but may belong to the restored ICE
                // generation.
                if connection.hasRemoteCredentials { connection.handleEarlyCandidates() }
            }
        }
    }

    /// This end's last description, with all candidates known so far; `nil` before the first description.
    package var localDescription: String? {
        guard var session = local, let ice else { return nil }
        let carrier = session.media.firstIndex { $0.attributes.first(ICEUsernameFragment.self) != nil && $0.port != 0 }
        if let carrier {
            let told = Set(session.media[carrier].attributes.values(of: CandidateLine.self).map(\.text))
            for line in Self.lines(of: ice) where !told.contains(line.text) {
                session.media[carrier].attributes.append(line)
            }
            if ice.hasGathered, !session.media[carrier].attributes.has(EndOfCandidates.self) {
                session.media[carrier].attributes.append(EndOfCandidates())
            }
        }
        return Self.text(session)
    }

    /// True once all local candidates have been gathered.
    package var isGatheringComplete: Bool { ice?.hasGathered ?? false }

    /// Adds a remote candidate, with or without the prefix `candidate:` or `a=candidate:`. An empty text or `nil` is
    /// the end of candidates. A candidate of an unknown type is ignored.
    package func addCandidate(_ text: String?, now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            if let text, !text.isEmpty, !Self.isCandidate(text) { throw .malformedCandidate }
            // While an ICE restart is pending, candidates may belong to the new ICE generation, so store them.
            guard connection.hasRemoteCredentials, !connection.isRestarting else {
                guard connection.earlyRemoteCandidates.count < Self.mostEarlyCandidates else {
                    throw .tooManyCandidates
                }
                return connection.earlyRemoteCandidates.append(text)
            }
            connection.handle(candidate: text)
        }
    }

    // MARK: Shared steps

    private func change<Result>(
        at now: Instant, _ body: (PeerEngine) throws(PeerConnectionError) -> Result
    ) throws(PeerConnectionError) -> Result {
        advance(to: now)
        guard state != .closed else { throw .closed }
        let result = try body(self)
        settle()
        return result
    }

    private func negotiate<Result>(
        _ body: (inout Negotiation) throws(NegotiationError) -> Result
    ) throws(PeerConnectionError) -> Result {
        do throws(NegotiationError) {
            return try body(&negotiation)
        } catch {
            throw .negotiation(error)
        }
    }

    private func newStream(_ name: String?) -> SendingStream {
        func ssrc() -> SSRC {
            while true {
                let ssrc = SSRC(UInt32.random(in: 1 ... .max, using: &random))
                // An SSRC can't be reused with the same SRTP keys, as its packet indices, and so the nonces, would
                // repeat.
                if protection?.sender.knows(ssrc) != true { return ssrc }
            }
        }
        let main = ssrc()
        var stream = SendingStream(
            ssrc: main, retransmissionSSRC: ssrc(), stream: name, track: name.map { "\($0)-\(main.rawValue)" })
        if configuration.parity == .flexFEC { stream.paritySSRC = ssrc() }
        return stream
    }

    private var remoteName: String? { negotiation.agreement?.transport?.remoteUsernameFragment.text }
    private var hasRemoteCredentials: Bool { remoteName != nil }

    /// True while an offer that restarts ICE is pending, whether it is this end's or the peer's.
    private var isRestarting: Bool {
        if negotiation.isRestartOffered { return true }
        guard let agreed = negotiation.agreement?.transport, negotiation.state == .haveLocalOffer else { return false }
        return ice?.localCredentials.usernameFragment != agreed.local.usernameFragment.text
    }

    /// Returns the ICE agent, which is made on the first call.
    private func agent(isOfferer: Bool) throws(PeerConnectionError) -> ICEAgent {
        if let ice { return ice }
        var settings = ICESettings(isControlling: isOfferer && !configuration.isLite)
        settings.isLite = configuration.isLite
        settings.stunServers = configuration.stunServers
        configuration.adjustICE?(&settings)
        guard let agent = try? ICEAgent(settings, crypto: crypto, random: split(&random), now: now) else {
            throw .noProtection
        }
        ice = agent
        for candidate in earlyCandidates { agent.handle(.localCandidate(candidate), now: now) }
        earlyCandidates = []
        openRelays()
        endCandidates()
        return agent
    }

    /// Calls `body` with this end's transport parameters, which have new credentials if ICE restarts. Rolls the restart
    /// back if `body` throws.
    private func restart<Result>(
        _ agent: ICEAgent, if restarts: Bool, _ body: (LocalTransport) throws(PeerConnectionError) -> Result
    ) throws(PeerConnectionError) -> Result {
        if restarts {
            openRelays()
            if !relays.values.allSatisfy(\.isSettled) { agent.handle(.localCandidatesPending, now: now) }
            agent.handle(.restart, now: now)
        }
        do throws(PeerConnectionError) {
            return try body(localTransport(of: agent))
        } catch {
            if restarts { agent.handle(.cancelRestart, now: now) }
            throw error
        }
    }

    func handle(_ candidate: LocalCandidate) {
        guard !configuration.usesRelaysOnly else { return }
        if let ice {
            ice.handle(.localCandidate(candidate), now: now)
            // A peer without trickle ICE can learn of this candidate only by a further offer.
            if ice.hasGathered, negotiation.agreement?.transport?.takesTrickled == false { needsRestart = true }
        } else if earlyCandidates.count < Self.mostEarlyCandidates {
            earlyCandidates.append(candidate)
        }
    }

    private func localTransport(of agent: ICEAgent) -> LocalTransport {
        let credentials = agent.localCredentials
        let fingerprint = certificates.fingerprint
        guard let name = ICEUsernameFragment(credentials.usernameFragment),
            let password = ICEPassword(String(decoding: credentials.password.bytes, as: UTF8.self)),
            let print = CertificateFingerprint(hash: fingerprint.hash.rawValue, bytes: fingerprint.bytes)
        else { preconditionFailure("credentials and hashes of our own making") }
        var transport = LocalTransport(usernameFragment: name, password: password, fingerprints: [print])
        transport.candidates = Self.lines(of: agent)
        transport.isGatheringComplete = agent.hasGathered
        transport.isLite = configuration.isLite
        return transport
    }

    private static func lines(of agent: ICEAgent) -> [CandidateLine] {
        agent.localCandidates.compactMap { $0.attribute.attributeValue.map { CandidateLine($0) } }
    }

    private static func text(_ session: SessionDescription) -> String {
        String(decoding: session.serialised(), as: UTF8.self)
    }

    private static func session(_ text: String) throws(PeerConnectionError) -> SessionDescription {
        guard let session = try? SessionDescription(parsing: Array(text.utf8)) else { throw .malformedDescription }
        return session
    }

    // MARK: Agreement

    /// Applies the agreement to ICE, data channels and media. Restores the negotiation `before` if it throws.
    private func begin(orElse before: Negotiation) throws(PeerConnectionError) {
        guard let agreement = negotiation.agreement else { return }
        if dtls != nil, agreement.transport?.isNewDTLSAssociation == true {
            negotiation = before
            throw .newAssociation
        }
        if let name = before.agreement?.transport?.remoteUsernameFragment.text, name != remoteName {
            pastGenerations = pastGenerations.suffix(Self.mostGenerations - 1) + [name]
        }
        if let transport = agreement.transport { begin(transport) }
        beginChannels(agreement)
        agreeOnMedia()
        emit(.negotiated(agreement))
    }

    private func begin(_ transport: NegotiatedTransport) {
        guard let ice else { return }
        if let credentials = ICECredentials(
            usernameFragment: transport.remoteUsernameFragment.text, password: transport.remotePassword.text)
        {
            ice.handle(.remoteCredentials(credentials, isLite: transport.isRemoteLite), now: now)
        }
        for candidate in transport.remoteCandidates { handle(candidate: candidate.text) }
        handleEarlyCandidates()
        // The remaining candidates belong to ICE generations whose descriptions never arrived.
        for _ in earlyRemoteCandidates { drops.count(.otherGeneration) }
        earlyRemoteCandidates = []
        if !transport.isRemoteTrickling { ice.handle(.remoteCandidatesEnded, now: now) }
    }

    private func handleEarlyCandidates() {
        let early = earlyRemoteCandidates
        earlyRemoteCandidates = []
        for candidate in early { handle(candidate: candidate) }
    }

    private func handle(candidate text: String?) {
        guard let ice else { return }
        guard let text, !text.isEmpty else { return ice.handle(.remoteCandidatesEnded, now: now) }
        guard let candidate = CandidateAttribute(attributeValue: text) else { return }
        if let name = candidate.usernameFragment, name != remoteName {
            // Signalling may deliver a candidate before its description, or after an ICE restart has replaced it.
            guard !pastGenerations.contains(name), earlyRemoteCandidates.count < Self.mostEarlyCandidates else {
                return drops.count(.otherGeneration)
            }
            return earlyRemoteCandidates.append(text)
        }
        ice.handle(.remoteCandidate(candidate), now: now)
    }

    /// Returns true if the text has the form of a candidate of any type. It may still be unparseable, for example
    /// because its type is not known here.
    private static func isCandidate(_ text: String) -> Bool {
        text.utf8.count <= CandidateAttribute.maximumSize && text.split(separator: " ").count >= 8
            && text.contains(" typ ")
    }
}
