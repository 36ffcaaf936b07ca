package import HelioCore
package import HelioSDP

/// The negotiation of offers and answers (JSEP, RFC 8829), without a transport: descriptions in and out, and their
/// agreement.
///
/// ```
///                 setLocal(offer)                  setRemote(answer)
///       stable ──────────────────▶ have-local-offer ────────────────▶ stable
///       stable ──────────────────▶ have-remote-offer ───────────────▶ stable
///                 setRemote(offer)                 setLocal(answer)
///                 rollback() leads back from either
/// ```
/// A value: every function either does all it says, or throws and changes nothing. It has no clock and draws no random
/// numbers; the SSRCs, credentials and fingerprints that go into descriptions are handed in.
///
/// All sections share one transport (BUNDLE), with RTP and RTCP on it: of an offer without a bundle the first usable
/// section is accepted, and the others are refused with port 0. There are no provisional answers and no simulcast; of
/// several encodings in an offer, none is requested.
package struct Negotiation: Sendable {
    package let configuration: NegotiationConfiguration
    /// The transceivers in the order in which they were made. A stopped transceiver is removed once it has no section
    /// left.
    package internal(set) var transceivers: [Transceiver] = []
    /// The present agreement; `nil` before the first answer. A pending offer does not affect it.
    package internal(set) var agreement: Agreement?

    var pending: Pending?
    /// The sections as last agreed on.
    var slots: [Slot] = []
    var wantsData = false
    var payloadTypes = PayloadTypes()
    var extensionIDs = ExtensionIDs()
    /// A counter that increases with every change of what descriptions depend on.
    var revision: UInt64 = 0
    /// The version in the origin of the last local description.
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

    /// Adds a track to send: on an idle transceiver of the kind, such as one that the peer offered to receive with, or
    /// on a new one, which a later offer of the peer's may use.
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

    /// Stops a transceiver for good: at once if the peer doesn't know of it, otherwise with the next description.
    package mutating func stop(_ id: Transceiver.ID) throws(NegotiationError) {
        guard let transceiver = transceiver(id), !transceiver.isStopping else { throw .noSuchTransceiver }
        update(id) { $0.isStopping = true }
        removeForgotten()
    }

    /// Requests a section of data channels; a description has one at most.
    package mutating func openData() {
        wantsData = true
        revision += 1
    }

    /// True where a change needs a new offer; always false unless ``state`` is stable.
    package var needsNegotiation: Bool {
        guard pending == nil else { return false }
        if wantsData, !slots.contains(where: { $0.content == .data }) { return true }
        return transceivers.contains { $0.needsNegotiation }
    }

    package func transceiver(_ id: Transceiver.ID) -> Transceiver? { transceivers.first { $0.id == id } }

    // MARK: Setting descriptions

    /// Sets a description of this end's: an offer while stable, an answer to the pending offer.
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

    /// Drops the pending offer, whoever made it, for example when both ends offered at once (RFC 8829 section
    /// 4.1.10.2).
    package mutating func rollback() throws(NegotiationError) {
        guard pending != nil else { throw .wrongState(state) }
        pending = nil
        // The transceivers that the peer's offer made are removed with it, unless they have a track to send by now.
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

    /// The section of a transceiver, as agreed on.
    func slot(of id: Transceiver.ID) -> Slot? { slots.first { $0.transceiver == id } }

    /// Returns whether a transceiver has a section, by the agreement or by the pending offer.
    private func isAssociated(_ id: Transceiver.ID) -> Bool {
        if slot(of: id) != nil { return true }
        switch pending {
        case nil: return false
        case .localOffer(let plan): return plan.sections.contains { $0.slot.transceiver == id }
        case .remoteOffer(let offer): return offer.slots.contains { $0.transceiver == id }
        }
    }

    /// Removes stopped transceivers that have no section left.
    private mutating func removeForgotten() {
        let forgotten = transceivers.filter { $0.isStopping && !isAssociated($0.id) }.map(\.id)
        transceivers.removeAll { forgotten.contains($0.id) }
        revision += 1
    }

    /// Puts an agreement into effect. Refused slots become empty, and their transceivers are removed.
    mutating func settle(
        _ agreed: Agreement, _ next: [Slot], offered: [Transceiver.ID: MediaDirection], isLocalOffer: Bool
    ) {
        let gone = next.filter(\.isRefused).compactMap(\.transceiver)
        // Another request for data channels would be refused too.
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

    /// The identity of the parity codec that this end supports for a kind of media.
    func parity(_ kind: MediaKind) -> CodecIdentity? {
        kind == .video && configuration.parity == .flexFEC ? CodecIdentity(RTPCodec.flexFEC) : nil
    }

    /// The parity that both the peer's section and this end support.
    ///
    /// - Parameter type: the payload type that this end assigned it; `nil` to use the peer's.
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

    /// Makes a session without sections, as the start of an offer or answer.
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
