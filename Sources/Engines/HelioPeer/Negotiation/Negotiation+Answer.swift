import HelioCore
package import HelioSDP

// The peer's offer, and this end's answer to it.
extension Negotiation {
    /// Sets the peer's offer, which is then pending until it is answered (RFC 8829 section 5.10). A new section gets a
    /// transceiver of `addTrack` or a new transceiver.
    package mutating func setRemote(offer session: SessionDescription) throws(NegotiationError) {
        guard pending == nil else { throw .wrongState(state) }
        let remote = try RemoteDescription(session)
        try checkContinuity(remote)
        var offer = RemoteOffer(description: remote, slots: [], refusals: [:])
        let alone = sectionWithoutBundle(remote)
        for section in remote.sections {
            var slot = Slot(
                mid: section.mid, kind: section.kind, transport: section.transport, format: section.format,
                content: .nothing)
            let old = liveSlot(section.index)
            let hasData = offer.slots.contains { $0.content == .data }
            if let reason = refusal(of: section, in: remote, alone: alone, hasData: hasData) {
                slot.isRefused = true
                slot.content = old?.content ?? .nothing
                offer.refusals[section.index] = reason
            } else if let old {
                slot.content = old.content
            } else if section.isData {
                slot.content = .data
            }
            offer.slots.append(slot)
        }
        if let first = carrier(of: remote.sections.filter { offer.refusals[$0.index] == nil }, in: remote) {
            _ = try role(answering: first, local: nil)
            _ = try credentials(of: first)
        }

        // Nothing throws from here on, so the state may be changed.
        for section in remote.sections where offer.refusals[section.index] == nil && !section.isData {
            if offer.slots[section.index].content == .nothing {
                guard let id = associate(section, taken: offer.slots.compactMap(\.transceiver)) else {
                    offer.slots[section.index].isRefused = true
                    offer.refusals[section.index] = .tooMany
                    continue
                }
                offer.slots[section.index].content = .media(id)
            }
            if let id = offer.slots[section.index].transceiver { update(id) { $0.mid = section.mid } }
        }
        pending = .remoteOffer(offer)
        revision += 1
    }

    /// True if the pending offer has new ICE credentials, so that the answer needs new credentials too.
    package var isRestartOffered: Bool {
        guard case .remoteOffer(let offer)? = pending, let before = agreement?.transport,
            let first = carrier(of: live(offer), in: offer.description)
        else { return false }
        return first.usernameFragment != before.remoteUsernameFragment || first.password != before.remotePassword
    }

    /// The transceivers whose sections the pending offer ends.
    var endedByOffer: [Transceiver.ID] {
        guard case .remoteOffer(let offer)? = pending else { return [] }
        return offer.slots.filter(\.isRefused).compactMap(\.transceiver)
    }

    private func liveSlot(_ index: Int) -> Slot? {
        index < slots.count && !slots[index].isRefused ? slots[index] : nil
    }

    /// Checks that an offer keeps the existing sections and payload types (RFC 3264 section 8, RFC 8829 section 5.2.2).
    private func checkContinuity(_ remote: RemoteDescription) throws(NegotiationError) {
        guard remote.sections.count >= slots.count else {
            throw .sectionCount(expected: slots.count, found: remote.sections.count)
        }
        for section in remote.sections {
            guard let slot = liveSlot(section.index) else { continue }
            guard section.kind == slot.kind, section.mid == slot.mid else {
                throw .sectionChanged(section: section.index)
            }
        }
        for media in agreement?.media ?? [] where !remote.sections[media.section].isRefused {
            for codec in remote.sections[media.section].codecs {
                let type = codec.map.payloadType
                var known = media.codecs.first { $0.sendPayloadType == type }?.codec
                if media.parity?.sendPayloadType == type { known = .flexFEC }
                guard let agreed = known else { continue }
                guard codec.identity == CodecIdentity(agreed) else {
                    throw .payloadTypeChanged(section: media.section, payloadType: type.rawValue)
                }
            }
        }
    }

    /// The only section to accept in an offer without a bundle: the section in use, otherwise the first usable section.
    private func sectionWithoutBundle(_ remote: RemoteDescription) -> Int? {
        guard remote.bundle?.isEmpty ?? true else { return nil }
        let usable = remote.sections.filter { refusalByItself($0, hasData: false) == nil }.map(\.index)
        return usable.first { liveSlot($0) != nil } ?? usable.first
    }

    private func refusal(
        of section: RemoteSection, in remote: RemoteDescription, alone: Int?, hasData: Bool
    ) -> RefusedSection.Reason? {
        if let reason = refusalByItself(section, hasData: hasData) { return reason }
        return remote.isBundled(section) || section.index == alone ? nil : .notBundled
    }

    private func refusalByItself(_ section: RemoteSection, hasData: Bool) -> RefusedSection.Reason? {
        if section.isRefused { return .refusedByPeer }
        if section.kind == .application {
            guard section.isData else { return .unknownProtocol }
            return configuration.maximumMessageSize == nil || hasData ? .dataNotWanted : nil
        }
        guard section.kind == .audio || section.kind == .video else { return .unknownMedia }
        guard section.isRTP else { return .unknownProtocol }
        guard section.hasRTCPMux else { return .notMultiplexed }
        return codecs(answering: section).isEmpty ? .noCommonCodec : nil
    }

    /// The codecs for an answer, in this end's order of preference, without duplicates, with the offer's payload types.
    private func codecs(answering section: RemoteSection) -> [NegotiatedCodec] {
        var codecs: [NegotiatedCodec] = []
        for codec in configuration.codecs where codec.kind == section.kind {
            for remote in section.codecs {
                let type = remote.map.payloadType
                guard !codecs.contains(where: { $0.sendPayloadType == type }),
                    let agreed = NegotiatedCodec(
                        codec, as: type, retransmission: remote.retransmission, remote: remote)
                else { continue }
                codecs.append(agreed)
                break
            }
        }
        return codecs
    }

    /// Returns a transceiver for a new section: an unused one of `addTrack` if the peer offers to receive, otherwise a
    /// new one; `nil` if there are too many.
    private mutating func associate(_ section: RemoteSection, taken: [Transceiver.ID]) -> Transceiver.ID? {
        let claimed = transceivers.first {
            $0.kind == section.kind && $0.isClaimable && !$0.isStopping && slot(of: $0.id) == nil
                && !taken.contains($0.id) && section.direction.receives
        }
        if let claimed { return claimed.id }
        guard transceivers.count < 2 * SessionDescription.maximumMedia else { return nil }
        let id = makeTransceiver(section.kind, .recvonly)
        update(id) { $0.isFromPeer = true }
        return id
    }

    // MARK: This end's answer

    /// Makes an answer to the pending offer (RFC 8829 section 5.3), to be passed to `setLocal` unchanged. Changes no
    /// state.
    ///
    /// - Parameter transport: the parameters of this end. The credentials have to be new if the offer restarts ICE, and
    ///   unchanged otherwise.
    package func createAnswer(_ transport: LocalTransport) throws(NegotiationError) -> LocalDescription {
        guard case .remoteOffer(let offer)? = pending else { throw .wrongState(state) }
        try check(transport)
        let remote = offer.description
        let live = live(offer)
        var plan = AnswerPlan(slots: offer.slots, agreement: Agreement())
        let first = carrier(of: live, in: remote)
        let mids = (remote.bundle ?? []).filter { name in live.contains { $0.mid == name } }
        let head = mids.first.flatMap { name in live.first { $0.mid == name } } ?? live.first
        var setup = SetupRole.active
        if let first {
            try checkCredentials(transport)
            let role = try role(answering: first, local: transport)
            setup = role == .client ? .active : .passive
            plan.agreement.transport = try self.transport(
                transport, first, role: role, isRemoteLite: remote.isLite, isLocalOffer: false,
                mids: mids.isEmpty ? live.compactMap(\.mid) : mids)
        }
        var session = blank(
            transport, bundle: mids.isEmpty ? nil : mids,
            allowsMixedExtensions: live.contains(where: \.allowsMixedExtensions))
        for section in remote.sections {
            guard live.contains(where: { $0.index == section.index }) else {
                plan.slots[section.index].isRefused = true
                plan.agreement.refused.append(
                    RefusedSection(
                        section: section.index, mid: section.mid, reason: offer.refusals[section.index] ?? .stopped))
                session.media.append(plan.slots[section.index].refusal)
                continue
            }
            let draft = SectionDraft(
                slot: plan.slots[section.index], transport: transport, isFirstOfBundle: section.index == head?.index,
                setup: setup)
            if let id = plan.slots[section.index].transceiver, let transceiver = transceiver(id) {
                let media = media(transceiver, section)
                plan.agreement.media.append(media)
                session.media.append(write(media, draft, transceiver.sender))
            } else {
                plan.agreement.data = data(section, mid: section.mid)
                session.media.append(
                    draft.data(maximumMessageSize: configuration.maximumMessageSize ?? MaximumMessageSize.usual))
            }
        }
        return LocalDescription(session: session, plan: .answer(plan), revision: revision)
    }

    /// The sections of an offer that this end accepts.
    private func live(_ offer: RemoteOffer) -> [RemoteSection] {
        offer.description.sections.filter { section in
            guard offer.refusals[section.index] == nil else { return false }
            guard let id = offer.slots[section.index].transceiver else { return true }
            return transceiver(id).map { !$0.isStopping } ?? false
        }
    }

    private func checkCredentials(_ transport: LocalTransport) throws(NegotiationError) {
        guard let before = agreement?.transport?.local else { return }
        let hasNewName = transport.usernameFragment != before.usernameFragment
        let hasNewPassword = transport.password != before.password
        if isRestartOffered {
            guard hasNewName, hasNewPassword else { throw .restartNeedsNewCredentials }
        } else {
            guard !hasNewName, !hasNewPassword else { throw .credentialsChangedWithoutRestart }
        }
    }

    /// Returns this end's DTLS role. An existing association keeps its roles (RFC 8842 section 5.3).
    private func role(
        answering section: RemoteSection, local: LocalTransport?
    ) throws(NegotiationError) -> NegotiatedTransport.DTLSRole {
        switch section.setup {
        case .active?: return .server
        case .passive?: return .client
        case .either?:
            if let before = agreement?.transport, let local, local.fingerprints == before.local.fingerprints,
                Set(section.fingerprints.filter(\.isStrong)) == Set(before.remoteFingerprints)
            {
                return before.role
            }
            return configuration.prefersPassive ? .server : .client
        case .hold?: throw .setupConflict(section: section.index)
        case nil: throw .missing(attribute: SetupRole.attributeName, section: section.index)
        }
    }

    private func media(_ transceiver: Transceiver, _ section: RemoteSection) -> NegotiatedMedia {
        var extensions: [NegotiatedExtension] = []
        for map in section.extensions where map.id != 15 && !extensions.contains(where: { $0.uri == map.uri }) {
            guard
                let own = configuration.headerExtensions.first(where: {
                    $0.uri == map.uri && $0.kinds.contains(section.kind)
                })
            else { continue }
            let direction = own.direction.intersection((map.direction ?? .sendrecv).reversed)
            guard direction != .inactive else { continue }
            extensions.append(
                NegotiatedExtension(
                    id: map.id, uri: map.uri, canSend: direction.sends, canReceive: direction.receives))
        }
        let direction = transceiver.offered.intersection(section.direction.reversed)
        return NegotiatedMedia(
            section: section.index, mid: section.mid, kind: section.kind, transceiver: transceiver.id,
            direction: direction,
            codecs: codecs(answering: section), extensions: extensions,
            allowsMixedExtensions: section.allowsMixedExtensions, hasReducedSizeRTCP: section.hasReducedSizeRTCP,
            hasReceiverRoundTrip: section.hasReceiverRoundTrip && direction.sends,
            remote: section.streams, parity: parity(section, as: nil))
    }

    private func write(_ media: NegotiatedMedia, _ draft: SectionDraft, _ sender: SendingStream?) -> MediaSection {
        let opus = media.codecs.first { $0.codec.encoding == RTPCodec.opus.encoding }?.receivePayloadType.rawValue
        let codecs = media.codecs.map { codec in
            var parameters = codec.answerParameters
            if codec.codec == .red, let opus { parameters = [.init("\(opus)/\(opus)")] }
            return SectionDraft.Codec(
                codec: codec.codec, type: codec.receivePayloadType, retransmission: codec.receiveRetransmissionType,
                parameters: parameters, feedback: codec.feedback)
        }
        let extensions = media.extensions.map {
            let direction = MediaDirection(sends: $0.canSend, receives: $0.canReceive)
            return ExtensionMap($0.id, $0.uri, direction: direction == .sendrecv ? nil : direction)
        }
        return draft.media(
            media.direction, codecs: codecs, parity: media.parity?.receivePayloadType, extensions: extensions,
            sender: sender, cname: configuration.cname, hasReducedSizeRTCP: media.hasReducedSizeRTCP,
            hasReceiverRoundTrip: media.hasReceiverRoundTrip)
    }

    mutating func set(_ plan: AnswerPlan, to offer: RemoteOffer) {
        for section in live(offer) {
            for codec in section.codecs {
                if let identity = codec.identity { payloadTypes.learn(codec.map.payloadType, identity) }
            }
            for map in section.extensions { extensionIDs.learn(map.id, map.uri) }
        }
        sessionVersion += 1
        var offered: [Transceiver.ID: MediaDirection] = [:]
        for media in plan.agreement.media {
            offered[media.transceiver] = offer.description.sections[media.section].direction.reversed
        }
        settle(plan.agreement, plan.slots, offered: offered, isLocalOffer: false)
    }
}
