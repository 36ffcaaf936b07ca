package import HelioCore
import HelioICE
import HelioProtection
package import HelioSDP
import HelioSTUN

// Offers and answers (RFC 8829), and the candidates that trickle behind them (RFC 8838).

extension PeerEngine {
    /// The most early candidates kept, of either end: the peer is not authenticated yet.
    private static let mostEarlyCandidates = 64
    private static let mostGenerations = 8

    // MARK: Transceivers

    /// Adds a track to send: in a section in which the peer offered to receive, or in a new one.
    ///
    /// - Parameters:
    ///   - stream: the name of the app's stream that the track is in; `nil` for none.
    ///   - track: the track's own name; `nil` generates one from `stream`, as no two in a description may be alike.
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

    /// Ends a section for good, with the next description.
    package func stop(_ id: Transceiver.ID, now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            try connection.negotiate { (negotiation) throws(NegotiationError) in try negotiation.stop(id) }
        }
    }

    // MARK: Descriptions

    /// Makes an offer and sets it as the local description at once (`setLocalDescription` of the W3C's).
    ///
    /// - Parameter restartsICE: true to look for a new path, while the old one stays in use as long as it works.
    /// - Returns: the description with the candidates known by now; later ones trickle.
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

    /// Takes the peer's offer, which then waits for `makeAnswer`.
    package func takeOffer(_ text: String, now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            let session = try Self.session(text)
            _ = try connection.agent(isOfferer: false)
            try connection.negotiate { (negotiation) throws(NegotiationError) in
                try negotiation.setRemote(offer: session)
            }
        }
    }

    /// The transceivers that the peer's pending offer ends: they are removed once it is answered.
    package var endedByOffer: [Transceiver.ID] { negotiation.endedByOffer }
    /// True where the peer's pending offer restarts ICE.
    package var isRestartOffered: Bool { negotiation.isRestartOffered }

    /// Answers the peer's offer, and puts the agreement into effect.
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

    /// Takes the peer's answer, and puts the agreement into effect.
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

    /// Drops the pending offer, whoever made it, and the ICE restart that it asked for.
    package func rollback(now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            let isRemote = connection.negotiation.state == .haveRemoteOffer
            try connection.negotiate { (negotiation) throws(NegotiationError) in try negotiation.rollback() }
            if isRemote {
                connection.earlyRemoteCandidates = []
            } else {
                connection.ice?.handle(.cancelRestart, now: connection.now)
                connection.local = connection.agreedLocal
                // These candidates waited for the offer's generation, but may belong to the restored one.
                if connection.hasRemoteCredentials { connection.handleEarlyCandidates() }
            }
        }
    }

    /// This end's last description with all candidates that are known by now; `nil` before the first.
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

    /// True once all candidates of this end are known.
    package var isGatheringComplete: Bool { ice?.hasGathered ?? false }

    /// Adds a remote candidate, with or without a `candidate:` or `a=candidate:` prefix; an empty text or `nil` means
    /// that there are no more. A candidate of an unknown kind is ignored.
    package func addCandidate(_ text: String?, now: Instant) throws(PeerConnectionError) {
        try change(at: now) { (connection) throws(PeerConnectionError) in
            if let text, !text.isEmpty, !Self.isCandidate(text) { throw .malformedCandidate }
            // While an ICE restart is pending, candidates belong to the new generation.
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
                // An SSRC used before under the same keys can't be used again, as its packet indices would repeat.
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

    /// True while an offer that restarts ICE is pending, whoever made it.
    private var isRestarting: Bool {
        if negotiation.isRestartOffered { return true }
        guard let agreed = negotiation.agreement?.transport, negotiation.state == .haveLocalOffer else { return false }
        return ice?.localCredentials.usernameFragment != agreed.local.usernameFragment.text
    }

    /// Returns the present agent, or makes one.
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

    /// Runs `body` with this end's transport, with new credentials if ICE restarts. Undoes the restart if `body`
    /// throws.
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
            // A peer that takes no trickled candidates learns of this one only from another description.
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

    /// Puts an agreement into effect. On failure, restores the negotiation `before`.
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
        // The candidates left were for descriptions that never came.
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
            // Signalling may deliver a candidate long after its description, or before it.
            guard !pastGenerations.contains(name), earlyRemoteCandidates.count < Self.mostEarlyCandidates else {
                return drops.count(.otherGeneration)
            }
            return earlyRemoteCandidates.append(text)
        }
        ice.handle(.remoteCandidate(candidate), now: now)
    }

    /// Returns whether the text has the shape of a candidate, of any kind: one that can't be parsed may be of a future
    /// kind.
    private static func isCandidate(_ text: String) -> Bool {
        text.utf8.count <= CandidateAttribute.maximumSize && text.split(separator: " ").count >= 8
            && text.contains(" typ ")
    }
}
