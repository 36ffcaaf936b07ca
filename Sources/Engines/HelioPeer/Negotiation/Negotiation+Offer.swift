import HelioCore
package import HelioSDP

// This end's offer, and the peer's answer to it.
extension Negotiation {
    /// Makes an offer of all transceivers and data channels (RFC 8829 section 5.2), to be passed to `setLocal`
    /// unchanged. Changes no state.
    ///
    /// New credentials in `transport` restart ICE.
    package func createOffer(_ transport: LocalTransport) throws(NegotiationError) -> LocalDescription {
        guard pending == nil else { throw .wrongState(state) }
        try check(transport)
        var plan = OfferPlan(
            sections: slots.map { OfferPlan.Section(slot: $0) }, transport: transport, payloadTypes: payloadTypes,
            extensionIDs: extensionIDs, nextMid: nextMid)
        for index in plan.sections.indices {
            guard let id = plan.sections[index].slot.transceiver, transceiver(id)?.isStopping == true else { continue }
            plan.sections[index].slot.isRefused = true
            plan.sections[index].isStopped = true
        }
        for transceiver in transceivers where slot(of: transceiver.id) == nil && !transceiver.isStopping {
            try place(transceiver.kind, SectionDraft.rtp, "0", .media(transceiver.id), in: &plan)
        }
        if wantsData, !slots.contains(where: { $0.content == .data }) {
            try place(.application, SectionDraft.sctp, SectionDraft.dataFormat, .data, in: &plan)
        }
        number(&plan)
        return LocalDescription(session: write(plan), plan: .offer(plan), revision: revision)
    }

    /// Adds a new section, in the slot of a refused section or at the end.
    private func place(
        _ kind: MediaKind, _ transport: String, _ format: String, _ content: Slot.Content, in plan: inout OfferPlan
    ) throws(NegotiationError) {
        while plan.sections.contains(where: { $0.slot.mid == String(plan.nextMid) }) { plan.nextMid += 1 }
        let slot = Slot(
            mid: String(plan.nextMid), kind: kind, transport: transport, format: format, content: content)
        plan.nextMid += 1
        // The slot of a section that this offer stops can be reused only by a later offer.
        if let vacant = plan.sections.firstIndex(where: { $0.slot.isRefused && !$0.isStopped }) {
            plan.sections[vacant] = OfferPlan.Section(slot: slot)
        } else {
            guard plan.sections.count < SessionDescription.maximumMedia else { throw .tooMany }
            plan.sections.append(OfferPlan.Section(slot: slot))
        }
    }

    /// Assigns payload types to codecs and IDs to header extensions, the same in all sections.
    private func number(_ plan: inout OfferPlan) {
        var types: [CodecIdentity: PayloadType] = [:]
        var ids: [String: UInt8] = [:]
        var reserved: Set<PayloadType> = []
        for codec in (agreement?.media ?? []).flatMap(\.codecs) {
            reserved.insert(codec.receivePayloadType)
            if let retransmission = codec.receiveRetransmissionType { reserved.insert(retransmission) }
        }
        var agreed: [String: UInt8] = [:]
        for one in (agreement?.media ?? []).flatMap(\.extensions) where agreed[one.uri] == nil {
            agreed[one.uri] = one.id
        }
        for parity in (agreement?.media ?? []).compactMap(\.parity) { reserved.insert(parity.receivePayloadType) }
        func type(_ identity: CodecIdentity) -> PayloadType? {
            if let type = types[identity] { return type }
            types[identity] = plan.payloadTypes.assign(identity, taken: Set(types.values), reserved: reserved)
            return types[identity]
        }

        for index in plan.sections.indices where !plan.sections[index].slot.isRefused {
            guard let id = plan.sections[index].slot.transceiver, let transceiver = transceiver(id) else { continue }
            plan.sections[index].direction = transceiver.offered
            var codecs: [OfferPlan.Section.Codec] = []
            for codec in configuration.codecs where codec.kind == transceiver.kind {
                guard let identity = CodecIdentity(codec), let number = type(identity),
                    !codecs.contains(where: { $0.type == number })
                else { continue }
                let retransmission =
                    codec.isRetransmitted ? type(CodecIdentity(retransmissionOf: number, of: codec)) : nil
                codecs.append(OfferPlan.Section.Codec(codec: codec, type: number, retransmission: retransmission))
            }
            plan.sections[index].codecs = codecs
            if let identity = parity(transceiver.kind) { plan.sections[index].parity = type(identity) }
            if let first = codecs.first { plan.sections[index].slot.format = String(first.type.rawValue) }
            for capability in configuration.headerExtensions
            where capability.isOffered && capability.kinds.contains(transceiver.kind) {
                let (known, last) = (ids[capability.uri], agreed[capability.uri])
                guard
                    let id = known
                        ?? plan.extensionIDs.assign(capability.uri, taken: Set(ids.values), agreed: last)
                else { continue }
                ids[capability.uri] = id
                let direction = capability.direction == .sendrecv ? nil : capability.direction
                plan.sections[index].extensions.append(ExtensionMap(id, capability.uri, direction: direction))
            }
        }
    }

    private func write(_ plan: OfferPlan) -> SessionDescription {
        let live = plan.sections.filter { !$0.slot.isRefused }.compactMap(\.slot.mid)
        var session = blank(plan.transport, bundle: live.isEmpty ? nil : live, allowsMixedExtensions: true)
        let first = plan.sections.firstIndex { !$0.slot.isRefused }
        for (index, section) in plan.sections.enumerated() {
            let draft = SectionDraft(
                slot: section.slot, transport: plan.transport, isFirstOfBundle: index == first, setup: .either)
            if section.slot.isRefused {
                session.media.append(section.slot.refusal)
            } else if let id = section.slot.transceiver {
                let codecs = section.codecs.map {
                    SectionDraft.Codec(
                        codec: $0.codec, type: $0.type, retransmission: $0.retransmission,
                        parameters: $0.codec.parameters, feedback: $0.codec.feedback)
                }
                session.media.append(
                    draft.media(
                        section.direction, codecs: codecs, parity: section.parity, extensions: section.extensions,
                        sender: transceiver(id)?.sender, cname: configuration.cname, hasReducedSizeRTCP: true,
                        hasReceiverRoundTrip: section.direction.sends))
            } else {
                session.media.append(
                    draft.data(maximumMessageSize: configuration.maximumMessageSize ?? MaximumMessageSize.usual))
            }
        }
        return session
    }

    mutating func set(_ plan: OfferPlan) {
        pending = .localOffer(plan)
        payloadTypes = plan.payloadTypes
        extensionIDs = plan.extensionIDs
        nextMid = plan.nextMid
        sessionVersion += 1
        revision += 1
        for section in plan.sections where !section.slot.isRefused {
            if let id = section.slot.transceiver { update(id) { $0.mid = section.slot.mid } }
        }
    }

    // MARK: The peer's answer

    /// Sets the peer's answer to the pending offer (RFC 8829 section 5.11); the result is in ``agreement``.
    package mutating func setRemote(answer session: SessionDescription) throws(NegotiationError) {
        guard case .localOffer(let plan)? = pending else { throw .wrongState(state) }
        let remote = try RemoteDescription(session)
        guard remote.sections.count == plan.sections.count else {
            throw .sectionCount(expected: plan.sections.count, found: remote.sections.count)
        }
        var agreed = Agreement()
        var next = plan.sections.map(\.slot)
        var live: [RemoteSection] = []
        for (section, planned) in zip(remote.sections, plan.sections) {
            let slot = planned.slot
            guard section.kind == slot.kind, section.mid == nil || section.mid == slot.mid else {
                throw .sectionChanged(section: section.index)
            }
            if slot.isRefused || section.isRefused {
                guard section.isRefused else { throw .notOffered(section: section.index) }
                next[section.index].isRefused = true
                let reason: RefusedSection.Reason = planned.isStopped ? .stopped : .refusedByPeer
                agreed.refused.append(RefusedSection(section: section.index, mid: slot.mid, reason: reason))
                continue
            }
            live.append(section)
            if let id = slot.transceiver {
                agreed.media.append(try media(id, planned, section))
            } else {
                guard section.isData else { throw .sectionChanged(section: section.index) }
                agreed.data = data(section, mid: slot.mid)
            }
        }
        // A single section needs no bundle; several sections must share one transport.
        if live.count > 1, let outside = live.first(where: { !remote.isBundled($0) }) {
            throw .notBundled(section: outside.index)
        }
        if let first = carrier(of: live, in: remote) {
            let role: NegotiatedTransport.DTLSRole
            switch first.setup {
            case .active?: role = .server
            case .passive?: role = .client
            case nil: throw .missing(attribute: SetupRole.attributeName, section: first.index)
            default: throw .setupConflict(section: first.index)
            }
            agreed.transport = try transport(
                plan.transport, first, role: role, isRemoteLite: remote.isLite, isLocalOffer: true,
                mids: live.compactMap { next[$0.index].mid })
        }
        var offered: [Transceiver.ID: MediaDirection] = [:]
        for section in plan.sections { if let id = section.slot.transceiver { offered[id] = section.direction } }
        settle(agreed, next, offered: offered, isLocalOffer: true)
    }

    private func media(
        _ id: Transceiver.ID, _ planned: OfferPlan.Section, _ section: RemoteSection
    ) throws(NegotiationError) -> NegotiatedMedia {
        guard section.isRTP else { throw .sectionChanged(section: section.index) }
        guard section.hasRTCPMux else { throw .notMultiplexed(section: section.index) }
        var left = planned.codecs
        var codecs: [NegotiatedCodec] = []
        for remote in section.codecs {
            // If several codecs match, prefer the one with the same payload type.
            let same = left.indices.filter { left[$0].type == remote.map.payloadType }
            for index in same + Array(left.indices) {
                let own = left[index]
                guard
                    let codec = NegotiatedCodec(
                        own.codec, as: own.type, retransmission: own.retransmission, remote: remote)
                else { continue }
                codecs.append(codec)
                left.remove(at: index)
                break
            }
        }
        guard !codecs.isEmpty else { throw .noCommonCodec(section: section.index) }
        let unanswered = left.compactMap { own in
            codecs.lazy.compactMap { agreed in
                NegotiatedCodec(unanswered: own.codec, as: own.type, retransmission: own.retransmission, like: agreed)
            }.first
        }
        var extensions: [NegotiatedExtension] = []
        for map in planned.extensions {
            guard let theirs = section.extensions.first(where: { $0.id == map.id && $0.uri == map.uri }) else {
                continue
            }
            let direction = (map.direction ?? .sendrecv).intersection((theirs.direction ?? .sendrecv).reversed)
            guard direction != .inactive else { continue }
            extensions.append(
                NegotiatedExtension(
                    id: map.id, uri: map.uri, canSend: direction.sends, canReceive: direction.receives))
        }
        return NegotiatedMedia(
            section: section.index, mid: planned.slot.mid, kind: planned.slot.kind, transceiver: id,
            direction: planned.direction.intersection(section.direction.reversed), codecs: codecs,
            unanswered: unanswered, extensions: extensions, allowsMixedExtensions: section.allowsMixedExtensions,
            hasReducedSizeRTCP: section.hasReducedSizeRTCP,
            hasReceiverRoundTrip: section.hasReceiverRoundTrip, remote: section.streams,
            parity: planned.parity.flatMap { parity(section, as: $0) })
    }
}
