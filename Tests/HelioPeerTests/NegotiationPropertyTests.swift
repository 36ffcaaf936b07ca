import HelioCore
import HelioPeer
import HelioSDP
import Testing

/// Two ends with random actions always reach an agreement.
struct NegotiationPropertyTests {
    @Test(arguments: 0..<60)
    func twoEndsAgree(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var ends = [
            Peer("alice", configuration(using: &generator)), Peer("bob", configuration(using: &generator)),
        ]
        var generation = 0
        for _ in 0..<12 {
            for end in 0..<2 { try change(&ends[end], using: &generator) }
            let offerer = Int.random(in: 0..<2, using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0, ends[offerer].negotiation.agreement?.transport != nil {
                generation += 1
                ends[0].transport = Peer.transport("alice", generation: generation)
                ends[1].transport = Peer.transport("bob", generation: generation)
            }
            var one = ends[offerer]
            var other = ends[1 - offerer]
            if Int.random(in: 0..<3, using: &generator) == 0 {
                // On glare, the other end rolls back.
                _ = try other.offer()
                try other.negotiation.rollback()
            }
            let before = one.negotiation.agreement
            let offer = try one.offer()
            // The wishes change while the offer is in transit.
            try change(&other, using: &generator)
            try one.negotiation.setRemote(answer: try other.answer(offer))
            try expectAgreement(one, other)
            expectStability(before, one)
            ends[offerer] = one
            ends[1 - offerer] = other
        }
        // Without further changes, one more offer each completes the negotiation.
        for end in [0, 1] {
            var one = ends[end]
            var other = ends[1 - end]
            try one.exchange(with: &other)
            try expectAgreement(one, other)
            #expect(!one.negotiation.needsNegotiation)
            ends[end] = one
            ends[1 - end] = other
        }
    }

    /// Checks that existing transceivers keep their section, MID and payload types.
    private func expectStability(_ before: Agreement?, _ peer: Peer) {
        for old in before?.media ?? [] {
            guard let new = peer.negotiation.agreement?.media(old.transceiver) else { continue }
            #expect(new.section == old.section && new.mid == old.mid)
            for codec in old.codecs {
                let same = new.codecs.first { $0.codec == codec.codec }
                #expect(same?.receivePayloadType == codec.receivePayloadType)
                #expect(same?.receiveRetransmissionType == codec.receiveRetransmissionType)
            }
            #expect(
                Set(new.extensions.map { "\($0.id) \($0.uri)" }) == Set(old.extensions.map { "\($0.id) \($0.uri)" }))
        }
    }

    private func configuration(using generator: inout SeededGenerator) -> NegotiationConfiguration {
        var codecs = RTPCodec.standard.shuffled(using: &generator)
        // Constrained Baseline and Opus are kept, so that the ends always have a common codec.
        if Bool.random(using: &generator) {
            codecs.removeAll { $0.kind == .video && !$0.parameters.contains(.init("profile-level-id", "42e034")) }
        }
        for index in codecs.indices where codecs[index].kind == .video {
            codecs[index].isRetransmitted = Bool.random(using: &generator)
        }
        var configuration = NegotiationConfiguration(
            sessionID: .random(in: 0..<1 << 62, using: &generator), cname: "cname", codecs: codecs,
            headerExtensions: HeaderExtensionCapability.standard.shuffled(using: &generator))
        configuration.headerExtensions.removeLast(Int.random(in: 0...6, using: &generator))
        configuration.prefersPassive = Bool.random(using: &generator)
        return configuration
    }

    private func change(_ peer: inout Peer, using generator: inout SeededGenerator) throws {
        let kind: MediaKind = Bool.random(using: &generator) ? .video : .audio
        let some = peer.negotiation.transceivers.randomElement(using: &generator)?.id
        let direction = MediaDirection.allCases.randomElement(using: &generator) ?? .sendrecv
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: try peer.negotiation.addTrack(kind, peer.stream(), receives: Bool.random(using: &generator))
        case 1 where peer.negotiation.transceivers.count < 6: try peer.negotiation.addTransceiver(kind, direction)
        case 2: peer.negotiation.openData()
        // A transceiver that is already being stopped rejects the call without a change.
        case 3: if let some { try? peer.negotiation.stop(some) }
        case 4: if let some { try? peer.negotiation.setDirection(some, direction) }
        default: break
        }
    }
}
