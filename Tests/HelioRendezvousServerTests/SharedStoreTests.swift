import HelioCore
import HelioRendezvous
import HelioRendezvousWire
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioRendezvousServer

@Suite("The facts that instances share in a real JetStream", .timeLimit(.minutes(1)), .tags(.quiet))
struct SharedStoreTests {
    private static func id(_ number: UInt8) -> RendezvousID { RendezvousID([UInt8](repeating: number, count: 16))! }
    private static func tag(_ number: UInt8) -> RingTag { RingTag([UInt8](repeating: number, count: 16))! }
    private static let key = [UInt8](repeating: 7, count: 32)

    private static func store(_ nats: NATSServer) throws -> JetStreamStore {
        JetStreamStore(try BusPlace(parsing: [nats.url]))
    }

    @Test("what one instance writes, another reads; expired permits are not told")
    func shared() throws {
        let nats = try NATSServer(keeps: true)
        let (one, other) = (try Self.store(nats), try Self.store(nats))
        #expect(try other.device(Self.id(1), now: 100) == nil)
        let permits = [StoredPermit(tag: Self.tag(1), expiry: 150), StoredPermit(tag: Self.tag(2), expiry: nil)]
        try one.apply([
            .seen(Self.id(1), publicKey: Self.key, at: 100), .permits(Self.id(1), []), .permits(Self.id(1), permits),
        ])
        #expect(
            try other.device(Self.id(1), now: 149) == StoredDevice(id: Self.id(1), lastSeen: 100, permits: permits))
        #expect(try other.device(Self.id(1), now: 150)?.permits == [permits[1]])
        try other.apply([.left(Self.id(1), at: 200), .permits(Self.id(1), [])])
        #expect(try one.device(Self.id(1), now: 201) == StoredDevice(id: Self.id(1), lastSeen: 200, permits: []))
        // As many at once as after a start.
        let many = (0..<5_000).map { number in
            StoredChange.seen(
                RendezvousID([UInt8](repeating: 3, count: 14) + [UInt8(number >> 8), UInt8(number & 255)])!,
                publicKey: Self.key, at: 300)
        }
        try one.apply(many)
        let last = RendezvousID([UInt8](repeating: 3, count: 14) + [UInt8(4_999 >> 8), UInt8(4_999 & 255)])!
        #expect(try other.device(last, now: 300)?.lastSeen == 300)
        try one.clean(now: 400, forget: 399)
    }

    @Test("a device is blocked by its name in the bucket, and whatever else stands there is ignored")
    func blocked() async throws {
        let nats = try NATSServer(keeps: true)
        let store = try Self.store(nats)
        #expect(try store.blocked().isEmpty)
        let bucket = "$KV.heliograph-rendezvous-blocked."
        for name in [Self.id(4).text, "nonsense"] { try nats.publish([Array("stolen".utf8)], to: bucket + name) }
        // The server takes messages before they are in the bucket.
        try await eventually("it is blocked") { try store.blocked() == [Self.id(4)] }
    }

    @Test("values that are none count as not there")
    func malformed() throws {
        let nats = try NATSServer(keeps: true)
        let store = try Self.store(nats)
        let id = Self.id(5)
        let bucket = "$KV.heliograph-rendezvous."
        #expect(try store.device(id, now: 1) == nil)
        try nats.publish([[1, 2, 3]], to: bucket + "seen.\(id.text)")
        #expect(try store.device(id, now: 1) == nil)
        try store.apply([.seen(id, publicKey: Self.key, at: 9)])
        try nats.publish([[UInt8](repeating: 1, count: 33)], to: bucket + "permits.\(id.text)")
        #expect(try store.device(id, now: 1) == StoredDevice(id: id, lastSeen: 9, permits: []))
    }

    @Test("changes wait while the server is away, and do not replace later ones of others")
    func away() async throws {
        let nats = try NATSServer(keeps: true)
        let (one, other) = (try Self.store(nats), try Self.store(nats))
        try one.apply([1, 2].map { .seen(Self.id($0), publicKey: Self.key, at: 100) })
        nats.stop()
        try one.apply([.left(Self.id(1), at: 200)])
        try one.apply([.left(Self.id(2), at: 200)])
        #expect(throws: HelioError.self) { try one.device(Self.id(3), now: 200) }
        try nats.start()
        try await eventually("the other one is back") {
            (try? other.apply([.seen(Self.id(2), publicKey: Self.key, at: 300)])) != nil
                && (try? other.device(Self.id(2), now: 300)?.lastSeen) == 300
        }
        try await eventually("what has waited is written") {
            _ = try? one.blocked()
            return (try? other.device(Self.id(1), now: 300)?.lastSeen) == 200
        }
        #expect(try one.device(Self.id(2), now: 300)?.lastSeen == 300)
    }

    @Test("a server without JetStream is an error that says what to do")
    func without() throws {
        let nats = try NATSServer()
        let error = #expect(throws: HelioError.self) { try Self.store(nats).blocked() }
        #expect(error?.message.contains("JetStream") == true)
    }

    @Test("a host that is away is known to an instance that starts later, to whom it has permitted")
    func kept() async throws {
        let nats = try NATSServer(keeps: true)
        let token = Service.token(1)
        let first = try await Instances(1, on: nats, stores: [Self.store(nats)])
        let host = try await Device.host(at: first[0].place(), permits: [token])
        let id = try host.id()
        await host.stop()
        try await eventually("it is gone") { await first[0].service.statistics().connections == 0 }
        await first.stop()

        let second = try await Instances(1, on: nats, stores: [Self.store(nats)])
        let viewer = try await Device.viewer(at: second[0].place())
        let call = try await viewer.ring(id, token)
        try await viewer.wait(for: .hungUp(call, .unreachable))
        let wrong = try await viewer.ring(id, Service.token(2))
        try await viewer.wait(for: .hungUp(wrong, .notPermitted))
        await viewer.stop()
        await second.stop()
    }

    @Test("a service starts though its shared store is away, and blocks who is blocked once it is back")
    func late() async throws {
        let nats = try NATSServer(keeps: true)
        let host = try await {
            let service = try await Instances(1, on: nats, stores: [Self.store(nats)])
            let device = try await Device.host(at: service[0].place())
            let id = try device.id()
            try nats.publish([Array("stolen".utf8)], to: "$KV.heliograph-rendezvous-blocked.\(id.text)")
            await device.stop()
            await service.stop()
            return device
        }()
        nats.stop()
        let instances = try await Instances(1, on: nats, stores: [Self.store(nats)])
        #expect(instances[0].news.list.contains { if case .storeUnreadable = $0 { true } else { false } })
        let again = try await Device(at: instances[0].place(), key: host.key)
        try await again.online()
        try nats.start()
        try await again.wait(for: .refused(.blocked))
        await again.stop()
        await instances.stop()
    }
}
