internal import DequeModule
package import HelioCore
package import HelioICE
package import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSTUN
package import HelioTURN

/// The local end of a WebRTC connection (RFC 8825). ICE finds the path, DTLS authenticates the peer and provides the
/// keys, SCTP over DTLS carries data channels, and SRTP carries media. Offers and answers negotiate the sections.
///
/// ```
///                 offers, answers, candidates
///                            │
///     Negotiation ───────────┴── agreement ──▶ the parts below
///
///     datagrams ◀──▶ by first byte ─┬─ ICE          connectivity checks, path
///     (UDP, ICE-TCP, relays)        ├─ DTLS ─┬─ keys ─▶ SRTP
///                                   │        └─ SCTP ─ data channels
///                                   ├─ SRTP ─ media
///                                   └─ plain  datagrams of the app, as they are
/// ```
/// The engine performs no I/O: its inputs are datagrams and instants, its outputs are datagrams and events. Every queue
/// is bounded, and unauthenticated input is dropped and counted.
///
/// Datagrams are sent on the path that ICE has currently selected. No other state depends on the path, so a connection
/// survives a change of addresses.
package final class PeerEngine: DropCounting, Engine {
    package enum Input: Sendable {
        /// A datagram from a UDP socket, or from an ICE-TCP connection after unframing.
        case datagram([UInt8], from: TransportAddress, onLocal: TransportAddress)
        /// An address at which this end can be reached.
        case localCandidate(LocalCandidate)
        /// The driver has no more candidates.
        case localCandidatesEnded
        /// The addresses of the name in a `.resolve`; empty if the name could not be resolved.
        case resolved(String, [IPAddress])
        /// The connection that `.connect(from:to:)` requested is open; `local` is its local address.
        case connected(from: TransportAddress, to: TransportAddress, local: TransportAddress)
        /// An event of the transport connection to a TURN server.
        case server(TURNServer.ID, RelayEvent)
        /// An ICE-TCP connection has ended, or could not be opened. If it could not be opened, `from` is the address in
        /// `.connect`.
        case disconnected(from: TransportAddress, to: TransportAddress)
    }

    package enum Output: Sendable {
        case datagram([UInt8], from: TransportAddress, to: TransportAddress)
        /// A request for the addresses of a multicast DNS name.
        case resolve(String)
        /// A request for an ICE-TCP connection from this address; `.connected` or `.disconnected` follows.
        case connect(from: TransportAddress, to: TransportAddress)
        case server(TURNServer.ID, RelayCommand)
        case event(PeerConnectionEvent)
    }

    let configuration: PeerConnectionConfiguration
    let crypto: any CryptoProvider
    let certificates: any DTLSProvider
    var random: any RandomNumberGenerator & Sendable
    /// The latest instant passed in.
    var now: Instant
    var outputs = Deque<Output>()
    package internal(set) var drops = DropCounter<PeerConnectionDrop>()
    package internal(set) var state = PeerConnectionState.new

    var negotiation: Negotiation { didSet { mayHaveNeed = true } }
    /// True if the need for a new offer has to be evaluated again after a change.
    private var mayHaveNeed = true
    /// This end's last description, without the candidates found after it was made.
    var local: SessionDescription?
    /// The local description before the pending offer, which a rollback restores.
    var agreedLocal: SessionDescription?
    /// True if `negotiationNeeded` was reported, and the need for a new offer still exists.
    var hasToldNeed = false

    /// The ICE agent, made with the first description. It is controlling if this end made the first offer and does not
    /// use ICE lite.
    var ice: ICEAgent?
    /// The ICE agent's `steps` at the last poll of its outputs and path.
    var seenICESteps = 0
    /// True if the next offer has to restart ICE, as the peer can't learn of new candidates otherwise.
    var needsRestart = false { didSet { mayHaveNeed = true } }
    /// Local candidates that arrived before the ICE agent was made.
    var earlyCandidates: [LocalCandidate] = []
    var earlyCandidatesEnded = false
    /// The peer's candidates that arrived before their description.
    var earlyRemoteCandidates: [String?] = []
    /// The peer's last username fragments before its ICE restarts, to recognise outdated candidates.
    var pastGenerations: [String] = []
    /// The path for outgoing datagrams, as selected by ICE; `nil` if none works.
    package internal(set) var path: SelectedPair? {
        didSet { if path != oldValue { notePathKind() } }
    }
    /// The kind of `path`, as reported last.
    package private(set) var pathKind: PeerPathKind?
    /// The last round-trip time measured by ICE; always `nil` with ICE lite, which sends no checks.
    package internal(set) var roundTrip: Duration?

    var relays: [TURNServer.ID: Relay] = [:]
    /// The relayed addresses of ended TURN allocations. ICE may still send from them until it has another path.
    var lostRelays: Set<TransportAddress> = []

    var dtls: (any DTLSTransport)?
    var handshakeClock: HandshakeClock
    var dtlsSession: DTLSSession?
    /// DTLS datagrams that arrived before the DTLS association was made, or from an address not yet verified by ICE.
    var earlyDTLS: [EarlyDatagram] = []
    package internal(set) var failure: PeerConnectionFailure?

    var channels: ChannelTransport?
    /// True once the SCTP association has ended. A DTLS association can't carry a second one.
    var hasDataEnded = false
    /// The channels opened before the SCTP association was made, in the order of opening.
    var waitingChannels: [WaitingChannel] = []
    var nextChannel = 0

    /// The media transport, made with the first negotiated media section.
    package internal(set) var media: MediaTransport?
    var protection: MediaProtection?

    package internal(set) var statistics = PeerConnectionStatistics()

    /// - Parameters:
    ///   - certificates: the factory of DTLS associations, with the local certificate, whose fingerprint goes into
    ///     descriptions.
    ///   - random: a secure generator; tests may pass a seeded one.
    package init(
        _ configuration: PeerConnectionConfiguration = PeerConnectionConfiguration(), crypto: any CryptoProvider,
        certificates: any DTLSProvider, random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        var random = random
        var configuration = configuration
        configuration.largestDatagram = min(max(configuration.largestDatagram, 576), 1472)
        self.configuration = configuration
        self.crypto = crypto
        self.certificates = certificates
        self.now = now
        handshakeClock = HandshakeClock(now: now)
        let takesData = configuration.takesDataChannels
        var terms = NegotiationConfiguration(
            sessionID: UInt64.random(in: 0...UInt64(Int64.max), using: &random),
            cname: Hexadecimal.text(SecretBytes(count: 12, using: &random).bytes),
            codecs: configuration.codecs, headerExtensions: configuration.headerExtensions,
            maximumMessageSize: takesData ? UInt64(configuration.dataChannels.association.maximumMessageSize) : nil)
        terms.prefersPassive = configuration.prefersPassive
        terms.receivesMedia = configuration.receivesMedia
        terms.parity = configuration.parity
        negotiation = Negotiation(terms)
        self.random = random
        drops = configuration.setAside
    }

    /// The transceivers in the order of their creation.
    package var transceivers: [Transceiver] { negotiation.transceivers }
    package var agreement: Agreement? { negotiation.agreement }
    /// This end's ICE username fragment, which is the first part of the USERNAME in the peer's checks; `nil` before the
    /// first description. An ICE restart changes the fragment.
    package var localUsernameFragment: String? { ice?.localCredentials.usernameFragment }
    /// The number of drops, by protocol and reason.
    package var allDrops: [String: Int] {
        .sum(
            media, drops.named("peer-"), ice?.drops.named("ice-"), dtls?.drops.named("dtls-"),
            channels?.engine.drops.named("channel-"), channels?.engine.associationDrops.named("sctp-"),
            relays.values.map(\.client.drops).allDrops.named("turn-"), protection)
    }
    package var signalingState: SignalingState { negotiation.state }

    // MARK: Engine

    package func handle(_ input: consuming Input, now: Instant) {
        advance(to: now)
        switch consume input {
        case .datagram(let bytes, let from, let base): handle(bytes, from: from, onLocal: base)
        case .localCandidate(let candidate): handle(candidate)
        case .localCandidatesEnded:
            earlyCandidatesEnded = true
            endCandidates()
        case .resolved(let name, let addresses): ice?.handle(.resolved(name, addresses), now: now)
        case .server(let id, let event): handle(event, of: id)
        case .connected(let from, let to, let local):
            ice?.handle(.connected(from: from, to: to, local: local), now: now)
        case .disconnected(let from, let to): ice?.handle(.disconnected(from: from, to: to), now: now)
        }
        settle()
    }

    package func tick(now: Instant) {
        advance(to: now)
        guard state != .closed else { return }
        ice?.tick(now: now)
        dtls?.tick(now: handshakeClock.time(at: now))
        channels?.engine.tick(now: now)
        media?.tick(now: now)
        for id in relayIDs { relays[id]?.client.tick(now: now) }
        settle()
    }

    package func poll() -> Output? {
        while true {
            if let output = outputs.popFirst() { return output }
            guard flow() else { return nil }
        }
    }

    package var deadline: Deadline? {
        guard state != .closed else { return nil }
        let own = Deadline.earliest(
            .earliest(ice?.deadline, handshakeClock.real(dtls?.deadline)),
            .earliest(channels?.engine.deadline, media?.deadline))
        return relays.values.reduce(own) { .earliest($0, $1.client.deadline) }
    }

    // MARK: Shared with extensions

    func advance(to instant: Instant) {
        if instant > now { now = instant }
    }

    func emit(_ event: PeerConnectionEvent) { outputs.append(.event(event)) }

    /// Processes the outputs of ICE and DTLS after an input, and reports changes of the state and a need for a new
    /// offer.
    func settle() {
        pollICE()
        beginDTLS()
        pollDTLS()
        noteState()
        noteNeed()
    }

    private func noteNeed() {
        guard state != .closed, mayHaveNeed else { return }
        // A need that arises while an offer is pending is reported once the offer is answered.
        guard negotiation.state == .stable else {
            hasToldNeed = false
            return
        }
        mayHaveNeed = false
        let needs = negotiation.needsNegotiation || needsRestart
        if needs, !hasToldNeed { emit(.negotiationNeeded) }
        hasToldNeed = needs
    }

    private func noteState() {
        guard state != .closed else { return }
        change(to: stateNow)
    }

    private var stateNow: PeerConnectionState {
        guard let ice, dtlsSession != nil || negotiation.agreement?.transport != nil else { return .new }
        if failure != nil || ice.state == .failed { return .failed }
        guard dtlsSession != nil else { return .connecting }
        return switch ice.state {
        case .disconnected: .disconnected
        case .failed: .failed
        // ICE is new or checking, for example after a restart; `path` may be a working pair that is not nominated yet.
        default: path == nil ? .connecting : .connected
        }
    }

    private func notePathKind() {
        let next = path.map { pair in
            PeerPathKind(
                isRelayed: pair.localKind == .relayed || pair.remoteKind == .relayed,
                isTCP: pair.base.transport == .tcp || relay(at: pair.base)?.server.isTCP == true)
        }
        guard next != pathKind else { return }
        pathKind = next
        emit(.path(next))
    }

    func change(to next: PeerConnectionState) {
        guard next != state else { return }
        if next == .failed { emit(.failed(failure ?? .noPath)) }
        state = next
        emit(.state(next))
    }

    /// Records a failure and ends the data channels. The owner still has to call `close`.
    func fail(_ failure: PeerConnectionFailure) {
        guard self.failure == nil, state != .closed else { return }
        self.failure = failure
        endChannels()
    }

    /// Closes the connection and frees its resources. The peer is notified by packets that are sent once and may get
    /// lost.
    package func close(now: Instant) {
        advance(to: now)
        guard state != .closed else { return }
        media?.close(now: now)
        channels?.engine.abort(now: now)
        while flow() {}
        dtls?.close()
        while let output = dtls?.poll() {
            if case .datagram(let bytes) = output { send(bytes) }
        }
        finish()
    }

    /// Frees all resources; nothing is sent or received afterwards.
    func finish() {
        endChannels()
        ice?.handle(.close, now: now)
        while ice?.poll() != nil {}
        closeRelays()
        media = nil
        protection = nil
        dtls = nil
        path = nil
        earlyDTLS = []
        change(to: .closed)
    }
}
