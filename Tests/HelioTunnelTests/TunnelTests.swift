import HelioCore
import HelioLinks
import HelioPeerPort
import HelioProtection
import HelioRendezvousWire
import HelioServing
import HelioTestLanes
import HelioTunnel
import NIOCore
import Testing

@Suite("A tunnel's two ends in one process: ports on loopback, and a call without a rendezvous", .tags(.quiet))
struct TunnelTests {
    private static let large = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }

    private func expectUse(_ world: TunnelWorld) async throws {
        try await world.write(Self.large)
        #expect(try await world.bytes(Self.large.count) == Self.large)
        try await world.expectReturn(of: [1, 2, 3], .media)
        try await world.expectReturn(of: [UInt8](repeating: 9, count: 1200), .control)
    }

    private func expectNothingLeft(_ world: TunnelWorld) async throws {
        try await world.wait(until: { $0.host.count == 0 && $0.viewer?.statistics == nil })
    }

    @Test(
        "by ICE, stream and datagrams go both ways, and the end frees both ends", .timeLimit(.minutes(1)),
        arguments: [true, false])
    func byICE(udp: Bool) async throws {
        let world = try await TunnelWorld(
            viewer: TunnelWorld.port(udp: udp), host: TunnelWorld.port(udp: udp))
        try await world.open()
        try await world.waitUntilOpen()
        // The session does not wait for ICE, which takes over as soon as it has a path.
        try await world.waitForICE()
        try await expectUse(world)
        #expect(try await world.on { $0.viewer?.statistics?.links[LinkID(2)]?.kind } == .direct)
        try await world.closeSession()
        _ = try await world.waitForEnd()
        try await expectNothingLeft(world)
        try await world.stop()
    }

    @Test("after the call was lost the session goes on by ICE", .timeLimit(.minutes(1)))
    func callLost() async throws {
        let world = try await TunnelWorld(
            viewer: TunnelWorld.port(udp: true), host: TunnelWorld.port(udp: true))
        try await world.open()
        try await world.waitUntilOpen()
        try await world.waitForICE()
        try await world.on { $0.call?.cut() }
        let reason = try await world.wait { if case .event(.callLost(let reason)) = $0 { reason } else { nil } }
        #expect(reason == .lost)
        try await expectUse(world)
        try await world.on { $0.viewer?.close() }
        #expect(try await world.waitForEnd().code == .ended)
        try await expectNothingLeft(world)
        try await world.stop()
    }

    enum Blocked: CaseIterable {
        case viewerHasNoPort, hostHasNoPort, neitherHasAPort, portsCannotMeet
    }

    @Test("without ICE the call carries everything", .timeLimit(.minutes(1)), arguments: Blocked.allCases)
    func byTheCall(_ blocked: Blocked) async throws {
        let viewer =
            [.viewerHasNoPort, .neitherHasAPort].contains(blocked) ? nil : try await TunnelWorld.port(udp: true)
        let host =
            [.hostHasNoPort, .neitherHasAPort].contains(blocked)
            ? nil : try await TunnelWorld.port(udp: blocked != .portsCannotMeet)
        let world = try await TunnelWorld(viewer: viewer, host: host)
        try await world.open()
        try await world.waitUntilOpen()
        try await expectUse(world)
        #expect(try await world.on { $0.viewer?.statistics?.media } == LinkID(1))
        try await world.closeSession()
        _ = try await world.waitForEnd()
        try await expectNothingLeft(world)
        try await world.stop()
    }

    @Test("without any link the session ends at both ends", .timeLimit(.minutes(1)))
    func noLinkLeft() async throws {
        let world = try await TunnelWorld { $0.linkless = .milliseconds(50) }
        try await world.open()
        try await world.waitUntilOpen()
        try await world.on { $0.call?.cut() }
        #expect(try await world.waitForEnd().code == .unreachable)
        try await expectNothingLeft(world)
        try await world.stop()
    }

    @Test("the host's end closes the viewer's stream", .timeLimit(.minutes(1)))
    func hostEnds() async throws {
        let world = try await TunnelWorld()
        try await world.open()
        try await world.waitUntilOpen()
        try await world.on { $0.host.close(.virtual(1)) }
        #expect(try await world.waitForEnd().code == .ended)
        try await expectNothingLeft(world)
        try await world.stop()
    }

    // MARK: What is refused

    @Test("a ringer with another secret is refused", .timeLimit(.minutes(1)))
    func wrongSecret() async throws {
        let world = try await TunnelWorld()
        try await world.on { $0.hostSecret = SecretBytes([UInt8](repeating: 8, count: 32)) }
        try await world.open()
        #expect(try await world.waitForEnd().code == .protocolViolation)
        #expect(try await world.on { $0.host.count } == 0)
        #expect(try await world.on { $0.host.allDrops } == ["violated": 1])
        try await world.stop()
    }

    @Test("a ringer whose tag is not known is refused", .timeLimit(.minutes(1)))
    func unknownTag() async throws {
        let world = try await TunnelWorld()
        try await world.on { $0.hostSecret = nil }
        try await world.open()
        #expect(try await world.waitForEnd().reason == "not-permitted")
        #expect(try await world.on { $0.host.allDrops } == ["unknown-tag": 1])
        try await world.stop()
    }

    @Test("a first message that is played again is refused", .timeLimit(.minutes(1)))
    func replayed() async throws {
        let world = try await TunnelWorld()
        try await world.open()
        try await world.waitUntilOpen()
        let reason = try await world.on { world -> HangUpReason? in
            let (token, first) = (RingToken([UInt8](repeating: 1, count: 16)), world.call?.ringer.sent.first)
            let again = world.newCall()
            if let token, let first, let device = RendezvousID([UInt8](repeating: 3, count: 16)) {
                again.ringer.ring(device, token)
                again.host.onEvent?(.message(first))
            }
            return again.host.hungUp
        }
        #expect(reason == .protocolError)
        #expect(try await world.on { $0.host.allDrops["replayed"] } == 1)
        // The first session is none the worse.
        try await expectUse(world)
        try await world.stop()
    }

    @Test("an address that calls too often without a proof is refused, as are calls beyond those at once")
    func limits() async throws {
        let world = try await TunnelWorld { $0.mostCalls = 3 }
        let reasons = try await world.on { world -> [HangUpReason?] in
            guard let token = RingToken([1] + [UInt8](repeating: 0, count: 15)),
                let device = RendezvousID([UInt8](repeating: 3, count: 16))
            else { return [] }
            var reasons: [HangUpReason?] = []
            var calls: [JoinedCall] = []
            for number in 0..<12 {
                let call = world.newCall()
                calls.append(call)
                call.ringer.ring(device, token)
                if number >= 4 { call.host.onEvent?(.message([UInt8(number)])) }
                reasons.append(call.host.hungUp)
                if number == 3 { for call in calls { call.host.onEvent?(.hungUp(.lost)) } }
            }
            return reasons
        }
        let violated = [HangUpReason?](repeating: .protocolError, count: 5)
        #expect(reasons == [nil, nil, nil, .tooMany] + violated + [.tooFast, .tooFast, .tooFast])
        #expect(try await world.on { $0.host.allDrops } == ["too-many-calls": 1, "violated": 5, "too-fast": 3])
        try await world.stop()
    }

    @Test("the calls at once with one secret are limited, and the addresses of an IPv6 network count as one")
    func shares() async throws {
        let world = try await TunnelWorld { settings in
            settings.mostCallsOfSecret = 2
            settings.callsPerMinute = 3
        }
        let rings: [(secret: UInt8, address: String)] = [
            (1, "2001:db8::1"), (1, "2001:db8::2"), (1, "2001:db8::3"), (2, "2001:db8::4"), (3, "2001:db8::5"),
            (3, "2001:db8:0:1::1"), (3, "192.0.2.1"),
        ]
        let reasons = try await world.on { world in
            rings.map { ring -> HangUpReason? in
                let call = world.newCall()
                guard let tag = RingTag([UInt8](repeating: ring.secret, count: 16)) else { return .lost }
                world.host.rung(call.host, tag: tag, address: ring.address, turn: [])
                return call.host.hungUp
            }
        }
        #expect(reasons == [nil, nil, .tooMany, nil, .tooFast, nil, nil])
        try await world.stop()
    }
}
