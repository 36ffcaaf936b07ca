import Foundation
import HelioCore
import HelioRendezvous
import HelioRendezvousPort
import HelioRendezvousServer
import HelioRendezvousWire
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("Instances of a rendezvous server that meet by a real NATS server", .timeLimit(.minutes(1)), .tags(.quiet))
struct InstanceTests {
    private static let token = Service.token(1)

    @Test("a viewer at one instance rings a host at the other, and messages and datagrams pass both ways")
    func call() async throws {
        let instances = try await Instances(on: NATSServer())
        try await instances.meet()
        let host = try await Device.host(at: instances[0].place(), permits: [Self.token])
        let viewer = try await Device.viewer(at: instances[1].place())
        try await Instances.see(host, Self.token, by: viewer)
        let (first, served) = try await Instances.talk(viewer, host, Self.token)
        try await viewer.feed(.hangUp(first))
        try await host.wait(for: .hungUp(served, .ended))
        // The host's end of a call is as good as the viewer's.
        let (second, again) = try await Instances.talk(viewer, host, Self.token)
        await host.stop()
        try await viewer.wait(for: .hungUp(second, .lost))
        #expect(again != served)
        let wrong = try await viewer.ring(host.id(), Service.token(2))
        try await viewer.wait(for: .hungUp(wrong, .notPermitted))
        await viewer.stop()
        await instances.stop()
    }

    @Test("presence crosses from one instance to the other, and a device that moves is thrown out where it was")
    func presence() async throws {
        let instances = try await Instances(3, on: NATSServer())
        try await instances.meet()
        let host = try await Device.host(at: instances[0].place(), permits: [Self.token])
        let viewer = try await Device.viewer(at: instances[2].place())
        try await Instances.see(host, Self.token, by: viewer)
        let moved = try await Device(at: instances[1].place(), key: host.key)
        try await moved.permit([Self.token])
        try await moved.online()
        try await host.wait(for: .refused(.replaced))
        await host.stop()
        // The viewer's instance may learn of the move later than the one where the device was.
        try await eventually("it is rung where it is") {
            let call = try await viewer.ring(host.id(), Self.token)
            return try await viewer.wait("an answer") { event -> Bool? in
                switch event {
                case .ringing(call): true
                case .hungUp(call, _): false
                default: nil
                }
            }
        }
        _ = try await moved.rung()
        await moved.stop()
        let id = try host.id()
        _ = try await viewer.wait("the host is away") {
            if case .presence(id, .offline, _) = $0 { true } else { nil }
        }
        await viewer.stop()
        await instances.stop()
    }

    @Test("a lost NATS server ends no call within an instance, is told, and both instances meet again when it is back")
    func restart() async throws {
        let nats = try NATSServer()
        let instances = try await Instances(on: nats)
        try await instances.meet()
        let host = try await Device.host(at: instances[0].place(), permits: [Self.token])
        let near = try await Device.viewer(at: instances[0].place())
        let far = try await Device.viewer(at: instances[1].place())
        try await Instances.see(host, Self.token, by: far)
        let (call, served) = try await Instances.talk(near, host, Self.token)
        let (farCall, _) = try await Instances.talk(far, host, Self.token)

        nats.stop()
        for index in 0...1 {
            try await eventually("the loss is seen") { await instances.state(index) == .lost }
            let port = instances[index].port
            let health = try await HTTPClient.ask(HTTPClient.request("/health"), port: port)
            #expect(health.status == 200 && health.body == "ok\nbus lost\n")
            let metrics = try await HTTPClient.ask(HTTPClient.request("/metrics"), port: port)
            #expect(metrics.body.contains("\nheliograph_rendezvous_bus_connected 0\n"))
            let news = instances[index].news
            #expect(news.list.contains { if case .busLost = $0 { true } else { false } })
        }
        try await Instances.pass(near, call, host, served)
        try await instances.meet(0)
        try await far.wait(for: .hungUp(farCall, .lost))

        try nats.start()
        try await instances.meet()
        #expect(await instances.state(0) == .connected)
        let health = try await HTTPClient.ask(HTTPClient.request("/health"), port: instances[1].port)
        #expect(health.body == "ok\nbus connected\n")
        try await Instances.see(host, Self.token, by: far)
        _ = try await Instances.talk(far, host, Self.token)
        try await Instances.pass(near, call, host, served)
        for device in [host, near, far] { await device.stop() }
        await instances.stop()
    }

    @Test("a NATS server that answers nothing holds up no device, and is left and found again")
    func stuck() async throws {
        let nats = try NATSServer()
        let instances = try await Instances(on: nats)
        try await instances.meet()
        let host = try await Device.host(at: instances[0].place(), permits: [Self.token])
        let near = try await Device.viewer(at: instances[0].place())
        nats.pause()
        let (call, served) = try await Instances.talk(near, host, Self.token)
        for index in 0...1 {
            try await eventually("it is left") { await instances.state(index) == .lost }
        }
        try await Instances.pass(near, call, host, served)
        nats.resume()
        try await instances.meet()
        for device in [host, near] { await device.stop() }
        await instances.stop()
    }

    @Test("a NATS server that is not there yet is found later")
    func later() async throws {
        let nats = try NATSServer(starts: false)
        let instances = try await Instances(on: nats)
        let host = try await Device.host(at: instances[0].place(), permits: [Self.token])
        try await eventually("it is told") {
            instances[0].news.list.contains(.busLost("nothing answers there"))
        }
        try nats.start()
        try await instances.meet()
        let viewer = try await Device.viewer(at: instances[1].place())
        try await Instances.see(host, Self.token, by: viewer)
        _ = try await Instances.talk(viewer, host, Self.token)
        for device in [host, viewer] { await device.stop() }
        await instances.stop()
    }

    @Test("an instance that ends says so, and is not waited for")
    func leaves() async throws {
        let instances = try await Instances(on: NATSServer(), missing: .seconds(600))
        try await instances.meet()
        await instances[0].stop()
        try await eventually("the other knows") { await instances[1].service.statistics().instances == 0 }
        await instances[1].stop()
    }

    @Test("messages that are none are dropped by name, and calls go on")
    func malicious() async throws {
        let nats = try NATSServer()
        let instances = try await Instances(on: nats)
        try await instances.meet()
        let host = try await Device.host(at: instances[0].place(), permits: [Self.token])
        let viewer = try await Device.viewer(at: instances[1].place())
        try await Instances.see(host, Self.token, by: viewer)
        let (call, served) = try await Instances.talk(viewer, host, Self.token)
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<100).map { count in
            (0..<count).map { _ in UInt8.random(in: 2 ... .max, using: &generator) }
        }
        let long = [UInt8](repeating: 1, count: 100_000)
        // A ring by an instance that nobody has heard of: version, type, sender.
        let stranger = [1, 5 + 1] + [UInt8](repeating: 9, count: 16) + [UInt8](repeating: 0, count: 41)
        try nats.publish(noise + [long, stranger], to: "heliograph.rendezvous.instances")
        for service in instances.all {
            try await eventually("all are counted", sees: "\(await service.drops())") {
                let drops = await service.drops()
                return drops["bus-unparsable"] == 100 && drops["bus-oversized"] == 1
                    && drops["bus-unknown-instance"] == 1
            }
        }
        try await Instances.pass(viewer, call, host, served)
        for device in [host, viewer] { await device.stop() }
        await instances.stop()
    }

    @Test("credentials come from a file, and wrong ones are told without them")
    func credentials() async throws {
        try await Service.withFolder { folder in
            let nats = try NATSServer(user: ("meeting", "right-secret"))
            func place(_ text: String) throws -> BusPlace {
                let path = folder + "/\(UUID().uuidString)"
                _ = FileManager.default.createFile(
                    atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
                return try BusPlace(parsing: [nats.url], credentialsFile: path)
            }
            let (right, wrong) = (try place("meeting:right-secret\n"), try place("meeting:wrong-secret"))
            let inside = try await Service { Instances.hurry(&$0, right) }
            let outside = try await Service { Instances.hurry(&$0, wrong) }
            try await eventually("one is in") { await inside.service.statistics().bus?.state == .connected }
            try await eventually("the other is told why not") {
                outside.news.list.contains(.busLost("it refuses the credentials"))
            }
            #expect(!"\(outside.news.list) \(wrong)".contains("wrong-secret"))
            #expect(await outside.service.statistics().bus?.state == .lost)
            await inside.stop()
            await outside.stop()
        }
    }

    @Test("by TLS, a server is trusted by its certificate, for its own address")
    func certificates() async throws {
        let refusal = "no authority that is trusted has signed its certificate, or it is another server's"
        let right = try NATSServer(certifiedFor: "127.0.0.1")
        let trusted = try BusPlace(parsing: [right.url], authorities: right.certificate)
        let inside = try await Service { Instances.hurry(&$0, trusted) }
        try await eventually("one is in") { await inside.service.statistics().bus?.state == .connected }
        let other = try NATSServer(certifiedFor: "127.0.0.2")
        for place in [
            try BusPlace(parsing: [right.url]), try BusPlace(parsing: [right.url], authorities: other.certificate),
            try BusPlace(parsing: [other.url], authorities: other.certificate),
        ] {
            let outside = try await Service { Instances.hurry(&$0, place) }
            try await eventually("it is refused", sees: "\(outside.news.list)") {
                outside.news.list.contains(.busLost(refusal))
            }
            await outside.stop()
        }
        await inside.stop()
    }
}
