import HelioPeer
import HelioPeerPort
import HelioTestLanes
import Testing

@Suite("Plain datagrams between the peers of two ports on loopback", .tags(.quiet))
struct PlainPortTests {
    @Test("plain datagrams go both ways without a channel", .timeLimit(.minutes(1)), arguments: [true, false])
    func bothWays(udp: Bool) async throws {
        var configuration = PeerConnectionConfiguration()
        configuration.carriesPlainDatagrams = true
        let settings = PortEnd.settings(udp: udp, tcp: !udp)
        let a = try await PortEnd(on: PeerPort.open(settings, on: PortEnd.loop), configuration)
        let b = try await PortEnd(on: PeerPort.open(settings, on: PortEnd.loop), configuration)
        try await a.peer.run { try $0.openData(now: $1) }
        try await a.take(answer: b.answer(a.offer()))
        for end in [a, b] {
            let kind = try await end.wait { if case .path(let kind?) = $0 { kind } else { nil } }
            #expect(kind == PeerPathKind(isRelayed: false, isTCP: !udp))
        }
        for end in [a, b] { try await end.state(.connected) }
        // Both orders, so that each end has received before and after it has sent.
        for (from, to) in [(a, b), (b, a), (a, b)] {
            let bytes: [UInt8] = [0xC0] + [UInt8](repeating: 5, count: 1200)
            try await from.peer.run { $0.send(plain: bytes, now: $1) }
            let arrived = try await to.wait { if case .plain(let bytes) = $0 { bytes } else { nil } }
            #expect(arrived == bytes)
        }
        for end in [a, b] { await end.port.close() }
    }
}
