internal import DequeModule
package import HelioCore
package import HelioICE
package import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSTUN
package import HelioTURN

/// One end of a WebRTC connection (RFC 8825): ICE finds the path, DTLS authenticates the other end and gives the keys,
/// SCTP carries data channels in it, SRTP the media; offers and answers negotiate the sections.
///
/// ```
///                 offers, answers, candidates
///                            │
///     Negotiation ───────────┴── agreement ──▶ the parts below
///
///     datagrams ◀──▶ by first byte ─┬─ ICE          who is there, and the path
///     (UDP, ICE-TCP, relays)        ├─ DTLS ─┬─ keys ─▶ SRTP
///                                   │        └─ SCTP ─ data channels
///                                   └─ SRTP ─ media
/// ```
/// All state is one tree: datagrams and instants in, datagrams and events out. Every queue is bounded, and whatever a
/// stranger sends is a counted drop.
///
/// The path is the one that ICE has selected at the moment; nothing else depends on it, so a connection outlives its
/// addresses.
package final class PeerEngine: Engine {
    package enum Input: Sendable {
        /// A datagram as it came off a socket, or unframed off an ICE-TCP connection.
        case datagram([UInt8], from: TransportAddress, onLocal: TransportAddress)
        /// An address at which this end can be reached.
        case localCandidate(LocalCandidate)
        /// The driver has no more candidates.
        case localCandidatesEnded
        /// The addresses of a name from `.resolve`; empty if it could not be resolved.
        case resolved(String, [IPAddress])
        /// `.connect(from:to:)` has opened a connection, whose own address is `local`.
        case connected(from: TransportAddress, to: TransportAddress, local: TransportAddress)
        /// An event of the connection to a TURN server; each server has its own.
        case server(TURNServer.ID, RelayEvent)
        /// A connection has ended; or, with the `from` of `.connect`, could not be made.
        case disconnected(from: TransportAddress, to: TransportAddress)
    }

    package enum Output: Sendable {
        case datagram([UInt8], from: TransportAddress, to: TransportAddress)
        /// A name of multicast DNS, to be resolved on the local network.
        case resolve(String)
        /// A connection of ICE-TCP is needed, from this address; answered by `.connected` or `.disconnected`.
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
    /// True if a change may require a new offer, which has not been checked yet.
    private var mayHaveNeed = true
    /// This end's last description, without the candidates found since.
    var local: SessionDescription?
    /// The local description from before the pending offer, which a rollback restores.
    var agreedLocal: SessionDescription?
    /// True if `negotiationNeeded` was reported and no offer has covered the change yet.
    var hasToldNeed = false

    /// The ICE agent, made with the first description, whose offerer is the controlling end.
    var ice: ICEAgent?
    /// The agent's step count when its outputs and path were last taken.
    var seenICESteps = 0
    /// True if the peer can learn of a change only by an ICE restart, which the next offer makes.
    var needsRestart = false { didSet { mayHaveNeed = true } }
    /// The driver's candidates from before the ICE agent was made.
    var earlyCandidates: [LocalCandidate] = []
    var earlyCandidatesEnded = false
    /// The peer's candidates that came before their description.
    var earlyRemoteCandidates: [String?] = []
    /// The peer's last few username fragments from before its ICE restarts.
    var pastGenerations: [String] = []
    /// The path that datagrams take, as selected by ICE.
    package internal(set) var path: SelectedPair?
    /// The last round trip measured by ICE; always `nil` at a lite end.
    package internal(set) var roundTrip: Duration?

    var relays: [TURNServer.ID: Relay] = [:]
    /// The relayed addresses of ended relays, which ICE may use until it has another path.
    var lostRelays: Set<TransportAddress> = []

    var dtls: (any DTLSTransport)?
    var handshakeClock: HandshakeClock
    var dtlsSession: DTLSSession?
    /// DTLS datagrams that came before the peer's description, or from an address not proven to be the peer's.
    var earlyDTLS: [EarlyDatagram] = []
    package internal(set) var failure: PeerConnectionFailure?

    var channels: ChannelTransport?
    /// True once the SCTP association has ended: one DTLS association carries no second one.
    var hasDataEnded = false
    /// The channels that wait for the association, in the order of their opening.
    var waitingChannels: [WaitingChannel] = []
    var nextChannel = 0

    /// The media transport, made with the first section of media.
    package internal(set) var media: MediaTransport?
    var protection: MediaProtection?

    package internal(set) var statistics = PeerConnectionStatistics()

    /// - Parameters:
    ///   - certificates: makes DTLS associations; its fingerprint goes into descriptions.
    ///   - random: the driver's secure generator, except in tests.
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

    /// The transceivers in the order in which they were made, with their present state.
    package var transceivers: [Transceiver] { negotiation.transceivers }
    package var agreement: Agreement? { negotiation.agreement }
    /// The ICE username fragment of this end, with which the USERNAME of the peer's checks begins. An ICE restart
    /// changes it; `nil` before the first description.
    package var localUsernameFragment: String? { ice?.localCredentials.usernameFragment }
    /// Counts of everything that was dropped, by protocol and reason.
    package var allDrops: [String: Int] {
        var all = media?.drops ?? [:]
        all.add(drops, as: "peer-")
        all.add(ice?.drops, as: "ice-")
        all.add(dtls?.drops, as: "dtls-")
        all.add(channels?.engine.drops, as: "channel-")
        all.add(channels?.engine.associationDrops, as: "sctp-")
        for relay in relays.values { all.add(relay.client.drops, as: "turn-") }
        if let protection { all.add(protection.drops) }
        return all
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

    /// Runs ICE and DTLS, and reports the resulting state and need for an offer, after any change.
    func settle() {
        pollICE()
        beginDTLS()
        pollDTLS()
        noteState()
        noteNeed()
    }

    private func noteNeed() {
        guard state != .closed, mayHaveNeed else { return }
        // A need that arises while an offer is pending is reported once that is answered.
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
        // This covers a restart after a failure, and a working path that is not nominated yet.
        default: path == nil ? .connecting : .connected
        }
    }

    func change(to next: PeerConnectionState) {
        guard next != state else { return }
        if next == .failed { emit(.failed(failure ?? .noPath)) }
        state = next
        emit(.state(next))
    }

    /// Records a failure and ends the data channels; the owner still has to close the connection.
    func fail(_ failure: PeerConnectionFailure) {
        guard self.failure == nil, state != .closed else { return }
        self.failure = failure
        endChannels()
    }

    /// Closes the connection and releases everything. The peer is notified once, by packets that may get lost.
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

    /// Releases everything: nothing is sent or received from here on.
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
