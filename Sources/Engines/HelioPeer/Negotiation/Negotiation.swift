package import HelioCore
package import HelioSDP

/// The offer/answer state machine (JSEP, RFC 8829), without a transport: it parses and makes descriptions, and derives
/// the ``Agreement``.
///
/// ```
///                 setLocal(offer)                  setRemote(answer)
///       stable ──────────────────▶ have-local-offer ────────────────▶ stable
///       stable ──────────────────▶ have-remote-offer ───────────────▶ stable
///                 setRemote(offer)                 setLocal(answer)
///                 rollback() returns to stable from both
/// ```
/// A function that throws changes nothing. The type has no clock and draws no random numbers; the caller provides the
/// SSRCs, credentials and fingerprints for descriptions.
///
/// All sections share one transport (BUNDLE), with RTP and RTCP multiplexed. In an offer without a bundle, only the
/// first usable section is accepted; the others are refused with port 0. Provisional answers and simulcast are not
/// supported; an offer of simulcast is answered without it.
package struct Negotiation: Sendable {
    package let configuration: NegotiationConfiguration
    /// The transceivers in the order of their creation. A stopped transceiver is removed once it has no section.
    package internal(set) var transceivers: [Transceiver] = []
    /// The present agreement; `nil` before the first answer. A pending offer does not affect it.
    package internal(set) var agreement: Agreement?

    var pending: Pending?
    /// The sections of the last completed offer/answer exchange.
    var slots: [Slot] = []
    var wantsData = false
    var payloadTypes = PayloadTypes()
    var extensionIDs = ExtensionIDs()
    /// A counter that increases with every change of state on which descriptions depend, to detect stale descriptions.
    var revision: UInt64 = 0
    /// The session version (`o=` line) of the last local description.
    var sessionVersion: UInt64 = 0
    var nextMid = 0
    private var nextTransceiver = 0

    enum Pending: Sendable {
        case localOffer(OfferPlan)
        case remoteOffer(RemoteOffer)
    }

    package init(_ configuration: NegotiationConfiguration) {
        self.configuration = configuration
    }

    package var state: SignalingState {
        switch pending {
        case nil: .stable
        case .localOffer: .haveLocalOffer
        case .remoteOffer: .haveRemoteOffer
        }
    }

    // MARK: Transceivers and data

    /// Adds a track to send. It uses an existing transceiver of this kind that has no sender, for example one created
    /// by the peer's offer; otherwise it makes a new transceiver, which a later offer of the peer may claim.
    @discardableResult
    package mutating func addTrack(
        _ kind: MediaKind, _ stream: SendingStream, receives: Bool = true
    ) throws(NegotiationError) -> Transceiver.ID {
        let idle = transceivers.firstIndex { $0.kind == kind && $0.sender == nil && !$0.isStopping }
        if let idle {
            transceivers[idle].sender = stream
            transceivers[idle].direction = MediaDirection(
                sends: true, receives: receives && transceivers[idle].direction.receives)
            revision += 1
            return transceivers[idle].id
        }
        let id = try addTransceiver(kind, MediaDirection(sends: true, receives: receives), stream)
        update(id) { $0.isClaimable = true }
        return id
    }

    /// Adds a transceiver, which gets its own section in this end's next offer.
    @discardableResult
    package mutating func addTransceiver(
        _ kind: MediaKind, _ direction: MediaDirection, _ stream: SendingStream? = nil
    ) throws(NegotiationError) -> Transceiver.ID {
        guard configuration.codecs.contains(where: { $0.kind == kind }) else { throw .noLocalCodec }
        guard transceivers.count < SessionDescription.maximumMedia else { throw .tooMany }
        let id = makeTransceiver(kind, direction)
        update(id) { $0.sender = stream }
        return id
    }

    package mutating func setDirection(
        _ id: Transceiver.ID, _ direction: MediaDirection
    ) throws(NegotiationError) {
        guard let transceiver = transceiver(id), !transceiver.isStopping else { throw .noSuchTransceiver }
        let wanted = wanted(direction)
        update(id) { $0.direction = wanted }
    }

    /// Restricts a direction to sending if the configuration excludes receiving.
    private func wanted(_ direction: MediaDirection) -> MediaDirection {
        configuration.receivesMedia ? direction : direction.intersection(.sendonly)
    }

    /// Stops a transceiver permanently: at once if it has no section, otherwise with the next description.
    package mutating func stop(_ id: Transceiver.ID) throws(NegotiationError) {
        guard let transceiver = transceiver(id), !transceiver.isStopping else { throw .noSuchTransceiver }
        update(id) { $0.isStopping = true }
        removeForgotten()
    }

    /// Requests a data channel section; a description has at most one.
    package mutating func openData() {
        wantsData = true
        revision += 1
    }

    /// True if a change requires a new offer; always false unless ``state`` is stable.
    package var needsNegotiation: Bool {
        guard pending == nil else { return false }
        if wantsData, !slots.contains(where: { $0.content == .data }) { return true }
        return transceivers.contains { $0.needsNegotiation }
    }

    package func transceiver(_ id: Transceiver.ID) -> Transceiver? { transceivers.first { $0.id == id } }

    // MARK: Setting descriptions

    /// Sets a local description: an offer in the state `stable`, or an answer to the pending offer.
    package mutating func setLocal(_ description: LocalDescription) throws(NegotiationError) {
        switch (description.plan, pending) {
        case (.offer(let plan), nil):
            guard description.revision == revision else { throw .stale }
            set(plan)
        case (.answer(let plan), .remoteOffer(let offer)?):
            guard description.revision == revision else { throw .stale }
            set(plan, to: offer)
        default: throw .wrongState(state)
        }
    }

    /// Discards the pending offer of this end or the peer, for example if both have offered at the same time (RFC 8829
    /// section 4.1.10.2).
    package mutating func rollback() throws(NegotiationError) {
        guard pending != nil else { throw .wrongState(state) }
        pending = nil
        // The transceivers that the peer's offer created are removed with it, unless a track was added to them.
        let settled = Set(slots.compactMap(\.transceiver))
        transceivers.removeAll { $0.isFromPeer && $0.sender == nil && !settled.contains($0.id) }
        for index in transceivers.indices {
            let slot = slot(of: transceivers[index].id)
            transceivers[index].mid = slot?.mid
            if slot == nil, transceivers[index].isFromPeer { transceivers[index].isClaimable = true }
        }
        removeForgotten()
    }

    // MARK: Shared by offers and answers

    mutating func makeTransceiver(_ kind: MediaKind, _ direction: MediaDirection) -> Transceiver.ID {
        let id = Transceiver.ID(rawValue: nextTransceiver)
        nextTransceiver += 1
        revision += 1
        transceivers.append(Transceiver(id: id, kind: kind, direction: wanted(direction)))
        return id
    }

    mutating func update(_ id: Transceiver.ID, _ change: (inout Transceiver) -> Void) {
        guard let index = transceivers.firstIndex(where: { $0.id == id }) else { return }
        change(&transceivers[index])
        revision += 1
    }

    /// The slot of a transceiver in the last completed exchange.
    func slot(of id: Transceiver.ID) -> Slot? { slots.first { $0.transceiver == id } }

    /// Returns true if a transceiver has a section in the agreement or in the pending offer.
    private func isAssociated(_ id: Transceiver.ID) -> Bool {
        if slot(of: id) != nil { return true }
        switch pending {
        case nil: return false
        case .localOffer(let plan): return plan.sections.contains { $0.slot.transceiver == id }
        case .remoteOffer(let offer): return offer.slots.contains { $0.transceiver == id }
        }
    }

    /// Removes the stopped transceivers without a section.
    private mutating func removeForgotten() {
        let forgotten = transceivers.filter { $0.isStopping && !isAssociated($0.id) }.map(\.id)
        transceivers.removeAll { forgotten.contains($0.id) }
        revision += 1
    }

    /// Completes an offer/answer exchange with its agreement. Refused slots become empty, and their transceivers are
    /// removed.
    mutating func settle(
        _ agreed: Agreement, _ next: [Slot], offered: [Transceiver.ID: MediaDirection], isLocalOffer: Bool
    ) {
        let gone = next.filter(\.isRefused).compactMap(\.transceiver)
        // Data channels were refused, so don't request them again.
        if next.contains(where: { $0.isRefused && $0.content == .data }) { wantsData = false }
        transceivers.removeAll { gone.contains($0.id) }
        slots = next
        for index in slots.indices where slots[index].isRefused { slots[index].content = .nothing }
        agreement = agreed
        pending = nil
        for media in agreed.media {
            update(media.transceiver) {
                $0.mid = media.mid
                $0.currentDirection = media.direction
                $0.lastOffer = offered[media.transceiver].map { .init(direction: $0, isLocal: isLocalOffer) }
            }
        }
        removeForgotten()
    }

    /// The identity of the parity codec that this end supports for a media kind; `nil` if there is none.
    func parity(_ kind: MediaKind) -> CodecIdentity? {
        kind == .video && configuration.parity == .flexFEC ? CodecIdentity(RTPCodec.flexFEC) : nil
    }

    /// The parity that the peer's section and this end both support; `nil` if there is none.
    ///
    /// - Parameter type: the payload type in this end's offer; `nil` to use the peer's payload type.
    func parity(_ section: RemoteSection, as type: PayloadType?) -> NegotiatedParity? {
        guard let own = parity(section.kind), let remote = section.codecs.first(where: { $0.identity == own }) else {
            return nil
        }
        let theirs = remote.map.payloadType
        return NegotiatedParity(sendPayloadType: theirs, receivePayloadType: type ?? theirs)
    }

    func origin() -> Origin {
        Origin(
            sessionID: configuration.sessionID, sessionVersion: sessionVersion + 1,
            host: ConnectionData(.ip4, "127.0.0.1"))
    }

    /// Makes the session part of an offer or answer, without sections.
    func blank(_ transport: LocalTransport, bundle: [String]?, allowsMixedExtensions: Bool) -> SessionDescription {
        var session = SessionDescription(origin: origin())
        if let bundle { session.attributes.append(MediaGroup(MediaGroup.bundle, bundle)) }
        if transport.isLite { session.attributes.append(ICELite()) }
        session.attributes.append(ICEOptions(["trickle", "ice2"]))
        if allowsMixedExtensions { session.attributes.append(ExtensionMapAllowMixed()) }
        return session
    }

    func check(_ transport: LocalTransport) throws(NegotiationError) {
        guard transport.fingerprints.contains(where: \.isStrong) else { throw .noLocalFingerprint }
    }
}
