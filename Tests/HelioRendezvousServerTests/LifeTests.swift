import Foundation
import HelioCore
import HelioOpenSSL
import HelioRendezvous
import HelioRendezvousPort
import HelioRendezvousServer
import HelioRendezvousWire
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("A rendezvous server that ends and comes back, and its certificate", .timeLimit(.minutes(1)), .tags(.quiet))
struct LifeTests {
    @Test("devices come back by themselves after a restart, and ring again")
    func restart() async throws {
        let first = try await Service()
        let place = try first.place()
        let token = Service.token(1)
        let host = try await Device.host(at: place, permits: [token])
        let viewer = try await Device.viewer(at: place)
        await first.stop()
        try await host.offline()
        try await viewer.offline()
        let second = try await Service(port: first.port)
        try await host.online()
        try await viewer.online()
        let call = try await viewer.ring(host.id(), token)
        _ = try await host.rung()
        try await viewer.wait(for: .ringing(call))
        for device in [host, viewer] { await device.stop() }
        await second.stop()
    }

    @Test("a host that is away when the server restarts is still known, to whom it has permitted")
    func kept() async throws {
        try await Service.withFolder { folder in
            let path = folder + "/rendezvous.sqlite"
            let token = Service.token(1)
            let first = try await Service(store: SQLiteStore(path: path))
            let host = try await Device.host(at: first.place(), permits: [token])
            let id = try host.id()
            await host.stop()
            try await eventually("it is gone") { await first.service.statistics().connections == 0 }
            await first.stop()

            let second = try await Service(store: SQLiteStore(path: path))
            let viewer = try await Device.viewer(at: second.place())
            try await viewer.feed(.watch(id, token))
            _ = try await viewer.wait("the host is known to be away") {
                if case .presence(id, .offline, _) = $0 { true } else { nil }
            }
            let call = try await viewer.ring(id, token)
            try await viewer.wait(for: .hungUp(call, .unreachable))
            let wrong = try await viewer.ring(id, Service.token(2))
            _ = try await viewer.wait("a wrong token is refused") {
                if case .hungUp(wrong, _) = $0 { true } else { nil }
            }
            await viewer.stop()
            await second.stop()
        }
    }

    @Test("when the server ends, devices are told so, and it ends though one does not leave")
    func drain() async throws {
        let service = try await Service {
            $0.drainTime = .milliseconds(100)
            $0.closeTimeout = .milliseconds(100)
        }
        let device = try await Device.host(at: service.place())
        // A device that neither registers nor answers.
        let deaf = Task { try? await HTTPClient.ask(HTTPClient.upgrade(), port: service.port) }
        try await eventually("both are there") { await service.service.statistics().devices == 2 }
        await service.stop()
        try await device.offline()
        _ = await deaf.value
        await #expect(throws: (any Error).self) {
            try await HTTPClient.ask(HTTPClient.request("/health"), port: service.port)
        }
        await device.stop()
    }

    @Test("the pinned certificate is accepted, another is refused with a reason, and so is one of no authority")
    func certificates() async throws {
        try await Service.withFolder { folder in
            let files = try Service.writeCertificate(in: folder)
            let service = try await Service { $0.certificate = files }
            let address = "https://localhost:\(service.port)"
            let pinned = try RendezvousPlace(parsing: address + "#" + files.fingerprint())
            let device = try await Device.host(at: pinned, permits: [Service.token(1)])
            let viewer = try await Device.viewer(at: pinned)
            let call = try await viewer.ring(device.id(), Service.token(1))
            try await viewer.wait(for: .ringing(call))

            let other = [UInt8](repeating: 1, count: 32)
            for text in [address + "#" + Base32.encode(other), address] {
                let stranger = try await Device(at: RendezvousPlace(parsing: text))
                try await stranger.offline()
                #expect(try await stranger.failure()?.reason == HelioError.impostor)
                await stranger.stop()
            }
            for device in [device, viewer] { await device.stop() }
            await service.stop()
        }
    }

    @Test("a renewed certificate is shown to new connections, and a damaged one is not taken")
    func renewal() async throws {
        try await Service.withFolder { folder in
            let files = try Service.writeCertificate(in: folder)
            let service = try await Service {
                $0.certificate = files
                $0.certificateInterval = .milliseconds(50)
            }
            let address = "https://localhost:\(service.port)#"
            let old = try await Device.host(at: RendezvousPlace(parsing: address + files.fingerprint()))
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: files.certificate))
            try await eventually("the damage is told") {
                service.news.list.contains { if case .certificateUnreadable = $0 { true } else { false } }
            }
            _ = try Service.writeCertificate(in: folder)
            try await eventually("the new one is told") { service.news.list.contains(.certificateChanged) }
            let new = try await Device.host(at: RendezvousPlace(parsing: address + files.fingerprint()))
            #expect(await service.service.statistics().devices == 2)
            for device in [old, new] { await device.stop() }
            await service.stop()
        }
    }

    @Test("a port that is taken, and files that are no certificate, are errors with a sentence")
    func errors() async throws {
        try await Service.withFolder { folder in
            let service = try await Service()
            await #expect(throws: HelioError.self) { try await Service(port: service.port) }
            await service.stop()
            await #expect(throws: HelioError.self) {
                try await Service {
                    $0.certificate = CertificateFiles(certificate: folder + "/none", key: folder + "/none")
                }
            }
        }
    }
}
