import HelioCore
import HelioRendezvous
import HelioRendezvousServer
import HelioRendezvousWire
import HelioTestPrograms

/// Instances of the service that meet by a real NATS server.
struct Instances {
    let nats: NATSServer
    let all: [Service]

    /// - Parameters:
    ///   - missing: the time after which a silent instance is taken as lost.
    ///   - stores: those of the instances; memory where there is none.
    init(
        _ count: Int = 2, on nats: NATSServer, missing: Duration = .seconds(2), stores: [any RendezvousStoring] = []
    ) async throws {
        self.nats = nats
        let place = try BusPlace(parsing: [nats.url])
        var all: [Service] = []
        for index in 0..<count {
            let store = index < stores.count ? stores[index] : MemoryStore()
            all.append(
                try await Service(store: store) {
                    Self.hurry(&$0, place)
                    $0.engine.instanceTime = missing
                })
        }
        self.all = all
    }

    /// Shortens the times in which an instance is noticed and missed.
    static func hurry(_ settings: inout RendezvousServiceSettings, _ place: BusPlace) {
        settings.bus = place
        settings.engine.aliveInterval = .milliseconds(200)
        settings.engine.instanceTime = .seconds(2)
        settings.drainTime = .milliseconds(100)
        settings.closeTimeout = .milliseconds(100)
    }

    subscript(_ index: Int) -> Service { all[index] }

    /// Waits until each instance knows this many others; all of them if there is no number.
    func meet(_ number: Int? = nil) async throws {
        let number = number ?? all.count - 1
        for service in all {
            try await eventually("it knows \(number) others") {
                await service.service.statistics().instances == number
            }
        }
    }

    func state(_ index: Int) async -> BusState? { await all[index].service.statistics().bus?.state }

    /// Waits until a device at another instance is seen at one, so that it can be rung there.
    static func see(_ host: Device, _ token: RingToken, by viewer: Device) async throws {
        let id = try host.id()
        try await viewer.feed(.watch(id, token))
        _ = try await viewer.wait("the host is online") {
            if case .presence(id, .online, _) = $0 { true } else { nil }
        }
    }

    /// Rings a host, and sends a message and a datagram both ways. Returns the call's numbers at both ends.
    static func talk(_ viewer: Device, _ host: Device, _ token: RingToken) async throws -> (CallNumber, CallNumber) {
        let call = try await viewer.ring(host.id(), token)
        let rung = try await host.rung()
        try await viewer.wait(for: .ringing(call))
        try await pass(viewer, call, host, rung.call)
        return (call, rung.call)
    }

    static func pass(_ viewer: Device, _ call: CallNumber, _ host: Device, _ served: CallNumber) async throws {
        let long = (0..<60_000).map { UInt8(truncatingIfNeeded: $0) }
        try await viewer.feed(.send(call, [1]))
        try await viewer.feed(.send(call, long))
        try await host.wait(for: .message(served, [1]))
        try await host.wait(for: .message(served, long))
        try await host.feed(.send(served, long))
        try await viewer.wait(for: .message(call, long))
        try await viewer.feed(.data(call, [2]))
        try await host.wait(for: .data(served, [2]))
        try await host.feed(.data(served, [3]))
        try await viewer.wait(for: .data(call, [3]))
    }

    func stop() async { for service in all { await service.stop() } }
}
