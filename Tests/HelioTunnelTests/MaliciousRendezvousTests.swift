import HelioCore
import HelioLinks
import HelioOpenSSL
import HelioPeerPort
import HelioProtection
import HelioRemoteWire
import HelioRendezvous
import HelioRendezvousWire
import HelioTestLanes
import HelioTunnel
import NIOCore
import Testing

@Suite("A malicious rendezvous between two honest ends", .tags(.quiet))
struct MaliciousRendezvousTests {
    /// What is done to the envelopes of one end.
    enum Attack: CaseIterable {
        case repeatsFirst, repeatsSecond, exchangesFirstTwo, leavesOutFirst, leavesOutSecond, changesABit
        /// An end's own first envelope comes back to it.
        case reflects
        /// The other end's first envelope is that of another call with the same secret.
        case playsAnotherCall
    }

    /// Two ports that can't reach each other, so that messages flow, and everything depends on the call.
    private func world(_ configure: @escaping (inout TunnelSettings) -> Void = { _ in }) async throws -> TunnelWorld {
        try await TunnelWorld(
            viewer: TunnelWorld.port(udp: true), host: TunnelWorld.port(udp: false)
        ) { settings in
            settings.connecting = .milliseconds(700)
            settings.linkless = .milliseconds(50)
            configure(&settings)
        }
    }

    /// Checks that the viewer ends with an error that tells of the attack or of the lack of a way, and that nothing is
    /// left, seen or driven.
    private func expectNothing(_ world: TunnelWorld, _ comment: Comment) async throws {
        let error = try await world.waitForEnd()
        #expect([.protocolViolation, .unreachable].contains(error.code), "\(comment): \(error)")
        try await world.wait(until: { $0.host.count == 0 && $0.viewer?.statistics == nil })
        #expect(try await world.on { $0.heard } == 0, comment)
        try await world.stop()
    }

    @Test(
        "envelopes that are repeated, exchanged, left out, changed, reflected or another call's end the call",
        .timeLimit(.minutes(1)), arguments: Attack.allCases, [true, false])
    func envelopes(_ attack: Attack, onRingers: Bool) async throws {
        let world = try await world()
        let another = attack == .playsAnotherCall ? try await firstEnvelopes() : nil
        try await world.on { world in
            let tampering = Tampering(attack, onRingers: onRingers, another: another) { [unowned world] in
                guard let call = world.call else { return }
                call.deliver($0, to: $1 ? call.ringer : call.host)
            }
            world.tamper = { tampering.change($0, isRingers: $1) }
        }
        try await world.open()
        try await expectNothing(world, "\(attack), the ringer's: \(onRingers)")
        #expect(try await world.on { $0.adopted } == 0)
    }

    /// Makes a call, and returns the first envelopes of both ends.
    private func firstEnvelopes() async throws -> Tampering.First {
        let world = try await world { $0.connecting = .seconds(20) }
        try await world.open()
        try await world.waitUntilOpen()
        let first = try await world.on { world in
            Tampering.First(ringer: world.call?.ringer.sent.first ?? [], host: world.call?.host.sent.first ?? [])
        }
        try await world.stop()
        return first
    }

    @Test("each bit of an offer is the ringer's: no fingerprint can be exchanged", .timeLimit(.minutes(1)))
    func fingerprint() async throws {
        let world = try await world { $0.callsPerMinute = 1000 }
        let offer = try await firstEnvelopes().ringer
        #expect(offer.count > 100)
        let reasons = try await world.on { world in
            try stride(from: 0, to: offer.count, by: 7).map { index in
                var changed = offer
                changed[index] ^= 1
                let call = world.newCall()
                call.ringer.ring(world.device, try CallKeys.token(of: world.secret, for: world.device, OpenSSLCrypto()))
                call.host.onEvent?(.message(changed))
                return call.host.hungUp
            }
        }
        #expect(reasons.allSatisfy { $0 == .protocolError })
        #expect(try await world.on { $0.host.allDrops } == ["violated": reasons.count])
        try await world.stop()
    }

    @Test("a rendezvous that has seen a token rings in vain: silent, with words of its own, and with the ringer's")
    func seenToken() async throws {
        let world = try await world { $0.firstMessage = .milliseconds(20) }
        let heard = try await firstEnvelopes().ringer
        try await world.on { world in
            let token = try CallKeys.token(of: world.secret, for: world.device, OpenSSLCrypto())
            // The token, and what is shown of it to others, are no secret to seal with.
            var random = SeededGenerator(seed: 1)
            for guess in [token.bytes, try CallKeys.tag(of: token, OpenSSLCrypto()).bytes] {
                var sealer = try CallSealer(
                    ringing: SecretBytes(guess), device: world.device, crypto: OpenSSLCrypto(), random: &random)
                let call = world.newCall()
                call.ringer.ring(world.device, token)
                let offer = SignalingMessage.offer(sdp: "v=0\r\n")
                call.host.onEvent?(.message(try sealer.seal(offer.serialised())))
                #expect(call.host.hungUp == .protocolError)
            }
            let silent = world.newCall()
            silent.ringer.ring(world.device, token)
            #expect(silent.host.hungUp == nil)
            // This host never heard the call: it has been started anew. It answers, and nobody understands the answer.
            let again = world.newCall()
            again.ringer.ring(world.device, token)
            again.host.onEvent?(.message(heard))
        }
        try await world.wait(until: { $0.host.count == 0 })
        let drops = try await world.on { $0.host.allDrops }
        #expect(drops == ["violated": 2, "silent-ringer": 1, "unconnected": 1])
        #expect(try await world.on { $0.adopted } == 0)
        try await world.stop()
    }

    @Test("a rendezvous or another device that answers in the host's place is found out", .timeLimit(.minutes(1)))
    func impostor() async throws {
        let world = try await world()
        try await world.on { world in
            let box = Box<HostTunnels>()
            let certificates = try OpenSSLDTLS(DTLSIdentity())
            guard let other = RendezvousID([UInt8](repeating: 4, count: 16)) else { return }
            // The impostor knows another pairing's secret, and this call's token.
            box.value = HostTunnels(
                other, port: nil, certificates: certificates, settings: TunnelSettings(),
                host: HostTunnels.Host(
                    secret: { _ in SecretBytes([UInt8](repeating: 9, count: 32)) }, adopt: { _, _, _ in },
                    received: { _, _, _ in }),
                on: TunnelWorld.loop)
            world.impostor = { call, token in
                guard let tag = try? CallKeys.tag(of: token, OpenSSLCrypto()) else { return }
                box.value?.rung(call.host, tag: tag, address: TunnelWorld.address, turn: [])
            }
        }
        try await world.open()
        try await expectNothing(world, "another device")
        #expect(try await world.on { $0.adopted } == 0)
    }

    @Test("a rendezvous that makes up an answer is found out at once", .timeLimit(.minutes(1)))
    func madeUp() async throws {
        let world = try await world { $0.connecting = .seconds(20) }
        try await world.on { world in
            world.impostor = { call, _ in
                call.deliver(.ringing, to: call.ringer)
                call.deliver(.message([UInt8](repeating: 0, count: 300)), to: call.ringer)
            }
        }
        try await world.open()
        #expect(try await world.waitForEnd().code == .protocolViolation)
        try await world.stop()
    }

    @Test("a rendezvous that says nothing more after it has rung is given up", .timeLimit(.minutes(1)))
    func silent() async throws {
        let world = try await world { $0.connecting = .milliseconds(100) }
        try await world.on { $0.impostor = { _, _ in } }
        try await world.open()
        #expect(try await world.waitForEnd().code == .unreachable)
        try await world.stop()
    }

    // MARK: A session

    @Test("a rendezvous can't end a session that has another link", .timeLimit(.minutes(1)))
    func endsTheCall() async throws {
        let world = try await TunnelWorld(
            viewer: TunnelWorld.port(udp: true), host: TunnelWorld.port(udp: true))
        try await world.open()
        try await world.waitUntilOpen()
        try await world.waitForICE()
        try await world.on { world in
            guard let call = world.call else { return }
            call.deliver(.hungUp(.ended), to: call.ringer)
            call.deliver(.hungUp(.ended), to: call.host)
        }
        let reason = try await world.wait { if case .event(.callLost(let reason)) = $0 { reason } else { nil } }
        #expect(reason == .ended)
        try await world.write([1, 2, 3])
        #expect(try await world.bytes(3) == [1, 2, 3])
        #expect(try await world.on { $0.host.count } == 1)
        try await world.closeSession()
        _ = try await world.waitForEnd()
        try await world.stop()
    }

    @Test("links' datagrams that are changed, repeated, reflected or made up do no harm", .timeLimit(.minutes(1)))
    func datagrams() async throws {
        let world = try await TunnelWorld()
        try await world.on { world in
            var count = 0
            world.tamper = { event, isRingers in
                guard case .data(let bytes) = event, let first = bytes.first, first >= 0xC2 else { return nil }
                count += 1
                var changed = bytes
                changed[count % bytes.count] ^= 0x40
                let end = isRingers ? world.call?.ringer : world.call?.host
                if let end { world.call?.deliver(event, to: end) }
                let made = CallEvent.data([first] + [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: 60))
                return count % 20 == 0 ? [.data(changed)] : [.data(changed), event, event, made]
            }
        }
        try await world.open()
        try await world.waitUntilOpen()
        let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 13 ^ $0 >> 7) }
        try await world.write(bytes)
        #expect(try await world.bytes(bytes.count) == bytes)
        let drops = try await world.on { $0.viewer?.statistics?.drops ?? [:] }
        #expect(drops["authentication-failed", default: 0] > 0 && drops["replayed", default: 0] > 0)
        try await world.closeSession()
        _ = try await world.waitForEnd()
        try await world.stop()
    }

    @Test("nothing that passes through the rendezvous can be read", .timeLimit(.minutes(1)))
    func reads() async throws {
        let world = try await world { $0.connecting = .seconds(20) }
        let seen = Box<[UInt8]>([])
        try await world.on { world in
            world.tamper = { event, _ in
                switch event {
                case .message(let bytes), .data(let bytes): seen.value?.append(contentsOf: bytes)
                default: break
                }
                return nil
            }
        }
        try await world.open()
        try await world.waitUntilOpen()
        let text = "what only the two ends know"
        try await world.write(Array(text.utf8))
        _ = try await world.bytes(text.utf8.count)
        let all = try await world.on { _ in String(decoding: seen.value ?? [], as: UTF8.self) }
        for word in [text, "v=0", "fingerprint", "ice-pwd", "candidate", "\"type\""] { #expect(!all.contains(word)) }
        #expect(all.utf8.count > 500)
        try await world.closeSession()
        _ = try await world.waitForEnd()
        try await world.stop()
    }
}

/// A value that closures on the loop share. Unchecked, as it is used on the loop alone.
final class Box<Value>: @unchecked Sendable {
    var value: Value?

    init(_ value: Value? = nil) { self.value = value }
}
