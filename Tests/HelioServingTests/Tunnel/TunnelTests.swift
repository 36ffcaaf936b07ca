import HelioAdmission
import HelioCore
import HelioHost
import HelioMedia
import HelioRemote
import HelioServing
import HelioSession
import HelioStores
import HelioTestLanes
import NIOCore
import Testing

@Suite("A session through a tunnel", .timeLimit(.minutes(1)), .tags(.quiet))
struct TunnelTests {
    @Test("pictures and input go by its datagrams, and the host's statistics show the viewer at its own address")
    func plays() async throws {
        let world = try await TunnelWorld()
        let tunnel = try await world.makeTunnel()
        let viewer = TunnelViewer()
        let client = try await world.watch(try await world.link(), by: tunnel, viewer)
        let indices = try await viewer.frames(20)
        #expect(zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try await world.read(tunnel) { $0.count(.media, toHost: false) } > 20)

        client.send(.key(usage: 9, modifiers: [], isDown: true))
        for await inputs in world.machine.injected {
            #expect(inputs == [.key(usage: 9, isDown: true)])
            break
        }
        for await isDriver in viewer.drives where isDriver { break }
        #expect(try await world.read(tunnel) { $0.count(.control, toHost: true) } > 0)
        #expect(try await world.read(tunnel) { $0.count(.control, toHost: false) } > 0)

        let statistics = try await world.server.statistics()
        let shown = try #require(statistics.viewers.first)
        #expect(statistics.viewers.count == 1 && shown.address == TunnelWorld.address)
        #expect(shown.drives && shown.transport == .udp && shown.packetsSent > 20)
        #expect(statistics.drops.keys.allSatisfy { !$0.contains("tunnel") && !$0.contains("forged") })
        #expect(try await client.statistics()?.drops.keys.allSatisfy { !$0.contains("tunnel") } == true)
        await client.stop()
        try await world.stop()
    }

    @Test("a tunnel without datagrams carries all inside the stream")
    func streamOnly() async throws {
        let world = try await TunnelWorld()
        let tunnel = try await world.makeTunnel(carriesDatagrams: false)
        let viewer = TunnelViewer()
        let client = try await world.watch(try await world.link(), by: tunnel, viewer)
        _ = try await viewer.frames(10)
        #expect(try await world.server.statistics().viewers.first?.transport == .tcp)
        client.send(.key(usage: 9, modifiers: [], isDown: true))
        for await inputs in world.machine.injected {
            #expect(inputs == [.key(usage: 9, isDown: true)])
            break
        }
        #expect(try await world.read(tunnel) { $0.carried.isEmpty })
        await client.stop()
        try await world.stop()
    }

    @Test("datagrams that get lost are sent again")
    func repaired() async throws {
        let world = try await TunnelWorld()
        let tunnel = try await world.makeTunnel()
        try await world.loop.submit {
            var count = 0
            tunnel.value.loses = { datagram in
                // RTCP has packet types from 192 to 223 in its second byte (RFC 5761 section 4).
                guard datagram.kind == .media, !datagram.isToHost, !(192...223).contains(datagram.bytes[1]) else {
                    return false
                }
                count += 1
                return count.isMultiple(of: 20)
            }
        }.get()
        let viewer = TunnelViewer()
        let client = try await world.watch(try await world.link(), by: tunnel, viewer)
        _ = try await viewer.frames(50)
        let stream = try await world.server.statistics().viewers.first?.stream
        #expect((stream?.retransmittedPackets ?? 0) + (stream?.parityPackets ?? 0) > 0)
        #expect(try await world.read(tunnel) { $0.lost } > 2)
        await client.stop()
        try await world.stop()
    }

    @Test("a host with another certificate is refused before anything is shown, and the tunnel is closed")
    func wrongCertificate() async throws {
        let world = try await TunnelWorld()
        let tunnel = try await world.makeTunnel()
        var link = try await world.link()
        link.fingerprint = Array(repeating: 1, count: 32)
        let error = await #expect(throws: HelioError.self) {
            try await world.watch(link, by: tunnel, TunnelViewer())
        }
        #expect(error?.code == .refused && error?.reason == HelioError.impostor)
        #expect(error?.message.hasPrefix("The host at host.invalid") == true, "\(error?.message ?? "")")
        #expect(try await world.read(tunnel) { $0.isClosed })
        #expect(try await world.server.statistics().viewers.isEmpty)
        try await world.stop()
    }

    @Test("a viewer that goes is told of at the host, and its tunnel is closed")
    func viewerGoes() async throws {
        let world = try await TunnelWorld()
        let tunnel = try await world.makeTunnel()
        let viewer = TunnelViewer()
        let client = try await world.watch(try await world.link(), by: tunnel, viewer)
        _ = try await viewer.frames(3)
        await client.stop()
        for await event in world.screen.events {
            guard case .left(_, let address, _, let reason) = event else { continue }
            #expect(address == TunnelWorld.address && reason == "left")
            break
        }
        for await _ in try await world.read(tunnel, { $0.closed }) {}
        try await world.stop()
    }

    @Test("a host that stops says so")
    func hostStops() async throws {
        let world = try await TunnelWorld()
        let tunnel = try await world.makeTunnel()
        let viewer = TunnelViewer()
        let client = try await world.watch(try await world.link(), by: tunnel, viewer)
        _ = try await viewer.frames(3)
        await world.server.stop()
        let error = try #require(await viewer.end())
        #expect(error.code == .ended, "\(error.message)")
        await client.stop()
        try await world.stop(isServing: false)
    }

    @Test("a tunnel that breaks ends the session at both ends, clearly")
    func breaks() async throws {
        let world = try await TunnelWorld()
        let tunnel = try await world.makeTunnel()
        let viewer = TunnelViewer()
        let client = try await world.watch(try await world.link(), by: tunnel, viewer)
        _ = try await viewer.frames(3)
        try await world.read(tunnel) { $0.tear() }
        let error = try #require(await viewer.end())
        #expect(!error.message.isEmpty)
        for await event in world.screen.events {
            guard case .left(_, TunnelWorld.address, _, let reason) = event else { continue }
            #expect(reason == "connection closed")
            break
        }
        await client.stop()
        try await world.stop()
    }

    @Test("two users pair through it")
    func pairs() async throws {
        let world = try await TunnelWorld(pairs: true)
        let tunnel = try await world.makeTunnel()
        let route = try await world.route(tunnel)
        let answering = Task { () -> PairingDesk.Question? in
            for await event in world.screen.events {
                guard case .pairingAsked(let question) = event else { continue }
                world.server.answerPairing(question.connection, .control)
                return question
            }
            return nil
        }
        let result = try await PairingClient.pair(
            .compare, addresses: [], port: 7236, name: "viewer", known: { _ in nil }, route: route, on: world.loop,
            confirm: { code in await answering.value?.code == code })
        #expect(result.fingerprint == world.identity.fingerprint && result.address.isEmpty)
        #expect(result.grant.hostName == "host" && result.grant.allowsControl)
        #expect(await answering.value?.address == TunnelWorld.address)
        try await world.stop()
    }
}
