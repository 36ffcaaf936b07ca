import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRendezvous
import HelioRendezvousPort
import HelioRendezvousWire
import HelioTestPrograms
import NIOCore
import NIOPosix
import Synchronization

/// A device of a test: a connection to the service, and its events, which are read in their order.
final class Device: Sendable {
    typealias Event = RendezvousClient.Event

    let key: (any DeviceSigner)?
    private let loop: any EventLoop
    private let connection: NIOLoopBound<RendezvousConnection>
    private let events: Events

    /// The events that were not read yet; a wait passes over those before the one that it is for.
    private final class Events: Sendable {
        private let waiting = Mutex<[Event]>([])

        func add(_ event: Event) { waiting.withLock { $0.append(event) } }

        func take<Found>(_ find: (Event) -> Found?) -> Found? {
            waiting.withLock { events in
                for (index, event) in events.enumerated() {
                    guard let found = find(event) else { continue }
                    events.removeFirst(index + 1)
                    return found
                }
                return nil
            }
        }

        var all: [Event] { waiting.withLock { $0 } }
    }

    /// - Parameter key: the key of a device that registers; `nil` for one that only rings.
    init(
        at place: RendezvousPlace, key: (any DeviceSigner)? = nil,
        settings: RendezvousPortSettings = RendezvousPortSettings()
    ) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let events = Events()
        self.key = key
        self.loop = loop
        self.events = events
        connection = try await loop.submit {
            let connection = RendezvousConnection(place, signer: key, settings: settings, on: loop) { events.add($0) }
            connection.start()
            return NIOLoopBound(connection, eventLoop: loop)
        }.get()
    }

    /// A device that registers with a new key, and is online.
    static func host(at place: RendezvousPlace, permits: [RingToken] = []) async throws -> Device {
        let device = try await Device(at: place, key: Ed25519Key())
        try await device.permit(permits)
        try await device.online()
        return device
    }

    /// A device that only rings, and is online.
    static func viewer(at place: RendezvousPlace) async throws -> Device {
        let device = try await Device(at: place)
        try await device.online()
        return device
    }

    func id() throws -> RendezvousID { try CallKeys.device(of: key?.publicKey ?? [], OpenSSLCrypto()) }

    func feed(_ input: RendezvousClient.Input) async throws {
        try await loop.submit { [connection] in connection.value.feed(input) }.get()
    }

    func permit(_ tokens: [RingToken]) async throws {
        let crypto = OpenSSLCrypto()
        try await feed(.permits(try tokens.map { Permit(tag: try CallKeys.tag(of: $0, crypto), seconds: 0) }))
    }

    /// Rings a device, and returns the call's number.
    func ring(_ device: RendezvousID, _ token: RingToken) async throws -> CallNumber {
        try await feed(.ring(device, token))
        return try await wait("a call is made") { if case .dialled(let call, device) = $0 { call } else { nil } }
    }

    /// Waits for the next event for which `find` returns a result.
    func wait<Found: Sendable>(
        _ what: String, within limit: Duration = Patience.usual, _ find: @escaping @Sendable (Event) -> Found?
    ) async throws -> Found {
        var found: Found?
        try await eventually(what, within: limit, sees: "\(events.all)") {
            found = events.take(find)
            return found != nil
        }
        return found!
    }

    func wait(for event: Event, within limit: Duration = Patience.usual) async throws {
        _ = try await wait("\(event)", within: limit) { $0 == event ? true : nil }
    }

    func online() async throws { try await wait(for: .online) }

    func offline() async throws {
        _ = try await wait("the connection is lost") { if case .offline = $0 { true } else { nil } }
    }

    func rung() async throws -> (call: CallNumber, tag: RingTag, address: String) {
        try await wait("it is rung") {
            if case .rung(let call, let tag, let address) = $0 { (call, tag, address) } else { nil }
        }
    }

    func failure() async throws -> HelioError? {
        try await loop.submit { [connection] in connection.value.failure }.get()
    }

    func drops() async throws -> [String: Int] {
        try await loop.submit { [connection] in connection.value.allDrops }.get()
    }

    func stop() async {
        try? await loop.submit { [connection] in connection.value.stop() }.get()
    }
}
