import HelioCore
import HelioPeer
import HelioSDP
import Testing

/// Two ends that do whatever comes to mind always agree in the end.
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
                // Both at once: the other gives way.
                _ = try other.offer()
                try other.negotiation.rollback()
            }
            let before = one.negotiation.agreement
            let offer = try one.offer()
            // While the offer is on its way, wishes change.
            try change(&other, using: &generator)
            try one.negotiation.setRemote(answer: try other.answer(offer))
            try expectAgreement(one, other)
            expectStability(before, one)
            ends[offerer] = one
            ends[1 - offerer] = other
        }
        // Left alone, they have nothing more to say after one more offer each.
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

    /// What lives keeps its place, its name and its numbers.
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
        // Constrained Baseline and Opus stay, so that there is always something in common.
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
        // One that is being stopped already is refused, which changes nothing.
        case 3: if let some { try? peer.negotiation.stop(some) }
        case 4: if let some { try? peer.negotiation.setDirection(some, direction) }
        default: break
        }
    }
}
