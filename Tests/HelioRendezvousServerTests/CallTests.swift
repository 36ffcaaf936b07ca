import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRendezvous
import HelioRendezvousPort
import HelioRendezvousServer
import HelioRendezvousWire
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("Devices that meet at a rendezvous server", .timeLimit(.minutes(1)), .tags(.quiet))
struct CallTests {
    @Test("a viewer rings a host with its token, and messages and datagrams pass both ways until one hangs up")
    func call() async throws {
        let service = try await Service()
        let token = Service.token(1)
        let host = try await Device.host(at: service.place(), permits: [token])
        let viewer = try await Device.viewer(at: service.place())
        let call = try await viewer.ring(host.id(), token)
        let rung = try await host.rung()
        #expect(rung.tag == (try CallKeys.tag(of: token, OpenSSLCrypto())))
        #expect(rung.address == "127.0.0.1")
        try await viewer.wait(for: .ringing(call))

        let long = (0..<60_000).map { UInt8(truncatingIfNeeded: $0) }
        try await viewer.feed(.send(call, [1, 2, 3]))
        try await viewer.feed(.send(call, long))
        try await host.wait(for: .message(rung.call, [1, 2, 3]))
        try await host.wait(for: .message(rung.call, long))
        try await host.feed(.send(rung.call, long))
        try await viewer.wait(for: .message(call, long))
        try await viewer.feed(.data(call, [4]))
        try await host.wait(for: .data(rung.call, [4]))
        try await host.feed(.data(rung.call, [5]))
        try await viewer.wait(for: .data(call, [5]))

        try await viewer.feed(.hangUp(call))
        try await host.wait(for: .hungUp(rung.call, .ended))
        for device in [host, viewer] { await device.stop() }
        await service.stop()
    }

    @Test("a wrong token, and a device that nobody knows, are refused")
    func wrongToken() async throws {
        let service = try await Service()
        let host = try await Device.host(at: service.place(), permits: [Service.token(1)])
        let viewer = try await Device.viewer(at: service.place())
        let wrong = try await viewer.ring(host.id(), Service.token(2))
        try await viewer.wait(for: .hungUp(wrong, .notPermitted))
        let nobody = try #require(RendezvousID([UInt8](repeating: 9, count: 16)))
        let unknown = try await viewer.ring(nobody, Service.token(1))
        _ = try await viewer.wait("the unknown device is refused") {
            if case .hungUp(unknown, let reason) = $0 { reason } else { nil }
        }
        // A permit that is withdrawn is worth nothing more.
        try await host.permit([])
        try await eventually("the permit is gone") {
            let call = try await viewer.ring(host.id(), Service.token(1))
            let isGone = try await viewer.wait("an answer") { event -> Bool? in
                switch event {
                case .hungUp(call, let reason): reason == .notPermitted
                case .ringing(call): false
                default: nil
                }
            }
            if !isGone { try await viewer.feed(.hangUp(call)) }
            return isGone
        }
        for device in [host, viewer] { await device.stop() }
        await service.stop()
    }

    @Test("a call ends when its other end is lost")
    func lost() async throws {
        let service = try await Service()
        let token = Service.token(1)
        let host = try await Device.host(at: service.place(), permits: [token])
        let viewer = try await Device.viewer(at: service.place())
        let call = try await viewer.ring(host.id(), token)
        _ = try await host.rung()
        try await viewer.wait(for: .ringing(call))
        await host.stop()
        try await viewer.wait(for: .hungUp(call, .lost))
        await viewer.stop()
        await service.stop()
    }

    @Test("a viewer that knows the token sees when a host comes and goes")
    func presence() async throws {
        let service = try await Service()
        let token = Service.token(1)
        let host = try await Device.host(at: service.place(), permits: [token])
        let id = try host.id()
        let viewer = try await Device.viewer(at: service.place())
        try await viewer.feed(.watch(id, token))
        func sees(_ state: PresenceState) async throws {
            _ = try await viewer.wait("the host is \(state)") {
                if case .presence(id, state, _) = $0 { true } else { nil }
            }
        }
        try await sees(.online)
        await host.stop()
        try await sees(.offline)
        let stranger = try await Device.viewer(at: service.place())
        try await stranger.feed(.watch(id, Service.token(2)))
        _ = try await stranger.wait("a stranger learns nothing") {
            if case .presence(id, .unknown, _) = $0 { true } else { nil }
        }
        for device in [viewer, stranger] { await device.stop() }
        await service.stop()
    }

    @Test("TURN servers come with a call, to both ends, with credentials of the shared secret")
    func turn() async throws {
        let service = try await Service {
            $0.turn = .init(urls: ["turn:turn.example.org"], secret: .init(Array("secret".utf8)))
        }
        let token = Service.token(1)
        let host = try await Device.host(at: service.place(), permits: [token])
        let viewer = try await Device.viewer(at: service.place())
        let call = try await viewer.ring(host.id(), token)
        let viewers = try await viewer.wait("TURN servers") {
            if case .turn(call, let list, _) = $0 { list } else { nil }
        }
        let hosts = try await host.wait("TURN servers") { if case .turn(_, let list, _) = $0 { list } else { nil } }
        for list in [viewers, hosts] {
            #expect(list.map(\.url) == ["turn:turn.example.org"])
            #expect(list.allSatisfy { $0.username.contains(":") && $0.credential.utf8.count == 28 })
        }
        for device in [host, viewer] { await device.stop() }
        await service.stop()
    }

    @Test("hundreds of devices are online at once, and any two of them meet")
    func hundreds() async throws {
        let service = try await Service()
        let place = try service.place()
        let token = Service.token(1)
        var hosts: [Device] = []
        for _ in 0..<6 {
            hosts += try await withThrowingTaskGroup(of: Device.self) { group in
                for _ in 0..<50 { group.addTask { try await Device.host(at: place, permits: [token]) } }
                return try await group.reduce(into: [Device]()) { $0.append($1) }
            }
        }
        #expect(await service.service.statistics().devices == 300)
        let viewer = try await Device.viewer(at: place)
        for host in hosts.prefix(8) {
            let call = try await viewer.ring(host.id(), token)
            _ = try await host.rung()
            try await viewer.wait(for: .ringing(call))
            try await viewer.feed(.hangUp(call))
        }
        await withTaskGroup { group in
            for device in hosts + [viewer] { group.addTask { await device.stop() } }
        }
        try await eventually("all are gone") { await service.service.statistics().connections == 0 }
        await service.stop()
    }
}
