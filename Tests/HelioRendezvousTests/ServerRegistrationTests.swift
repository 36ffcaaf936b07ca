import HelioCore
import HelioRendezvous
import HelioRendezvousWire
import Testing

@Suite("A server's devices")
struct ServerRegistrationTests {
    @Test("A device that signs the challenge is registered, under the hash of its key")
    func registration() throws {
        let stage = ServerStage()
        let id = stage.open()
        #expect(stage.nonce(of: id).count == 32)
        stage.send(try stage.registration(of: 1, on: id), from: id)
        let device = try ServerStage.device(1)
        #expect(stage.take(id) == [.registered(device)])
        #expect(stage.events == [.registered(device, ServerStage.home)])
        #expect(stage.orders == [.seen(device, publicKey: ToySigner(1).publicKey)])
        #expect(stage.statistics.registered == 1 && stage.statistics.registrations == 1)
        #expect(stage.takeBus().isEmpty, "a single instance has no bus")
    }

    @Test("Each connection has a challenge of its own")
    func challenges() {
        let stage = ServerStage()
        #expect(stage.nonce(of: stage.open()) != stage.nonce(of: stage.open()))
    }

    @Test("A changed signature, another's key, another challenge's and another server's are refused")
    func wrongSignatures() throws {
        let stage = ServerStage()
        let elsewhere = stage.open()
        let attempts: [(ConnectionID) throws -> ClientFrame] = [
            {
                guard case .register(let key, var signature) = try stage.registration(of: 1, on: $0) else {
                    return .permit([])
                }
                signature[9] ^= 1
                return .register(publicKey: key, signature: signature)
            },
            {
                guard case .register(_, let signature) = try stage.registration(of: 1, on: $0) else {
                    return .permit([])
                }
                return .register(publicKey: ToySigner(2).publicKey, signature: signature)
            },
            { _ in try stage.registration(of: 1, on: elsewhere) },
            { try stage.registration(of: 1, on: $0, authority: "evil.example:443") },
        ]
        for (index, attempt) in attempts.enumerated() {
            let id = stage.open()
            stage.send(try attempt(id), from: id)
            #expect(stage.take(id) == [.refused(.wrongSignature)] && stage.closed.contains(id))
            #expect(stage.drops[.wrongSignature] == index + 1)
        }
        #expect(stage.statistics.registered == 0 && stage.orders.isEmpty)
    }

    @Test("A second registration of a device replaces the first, whose calls are lost")
    func replaced() throws {
        let stage = ServerStage()
        let first = try stage.host(1)
        let viewer = stage.open()
        stage.send(try ServerStage.ring(1), from: viewer)
        _ = (stage.take(first), stage.take(viewer))
        let second = stage.open()
        stage.send(try stage.registration(of: 1, on: second), from: second)
        #expect(stage.take(first) == [.refused(.replaced)] && stage.closed.contains(first))
        #expect(stage.take(viewer) == [.hungUp(CallNumber(1), .lost)])
        #expect(stage.take(second) == [.registered(try ServerStage.device(1))])
        stage.feed(.closed(first))
        #expect(stage.statistics.registered == 1)
        stage.send(try ServerStage.ring(1, as: 2), from: viewer)
        #expect(stage.take(viewer) == [.ringing(CallNumber(2))], "the permits stay")
        #expect(!stage.events.contains(.offline(try ServerStage.device(1))))
    }

    @Test("A connection registers once, and only registered ones publish permits")
    func order() throws {
        let stage = ServerStage()
        let host = try stage.host(1)
        stage.send(try stage.registration(of: 2, on: host), from: host)
        let stranger = stage.open()
        stage.send(.permit([]), from: stranger)
        for id in [host, stranger] { #expect(stage.take(id) == [.refused(.protocolError)]) }
        #expect(stage.drops[.unexpectedFrame] == 2)
    }

    @Test("Bytes that are no frame end the connection; so does a frame of a server")
    func unparsable() {
        let stage = ServerStage()
        for bytes in [[], [0], ServerFrame.draining(seconds: 1).serialised()] {
            let id = stage.open()
            stage.feed(.received(id, bytes))
            #expect(stage.take(id) == [.refused(.protocolError)] && stage.closed.contains(id))
        }
        #expect(stage.drops[.unparsable] == 3)
    }

    @Test("A blocked device is refused, and thrown out if it is connected")
    func blocked() throws {
        let stage = ServerStage()
        let (bad, good) = (try stage.host(1), try stage.host(2))
        stage.feed(.blocked([try ServerStage.device(1)]))
        #expect(stage.take(bad) == [.refused(.blocked)] && stage.take(good).isEmpty)
        let again = stage.open()
        stage.send(try stage.registration(of: 1, on: again), from: again)
        #expect(stage.take(again) == [.refused(.blocked)] && stage.drops[.blocked] == 2)
        stage.feed(.blocked([]))
        let forgiven = stage.open()
        stage.send(try stage.registration(of: 1, on: forgiven), from: forgiven)
        #expect(stage.take(forgiven) == [.registered(try ServerStage.device(1))])
    }

    @Test("A connection without a purpose ends after ten seconds, a registered or watching one does not")
    func idle() throws {
        let stage = ServerStage()
        let stranger = stage.open()
        let host = try stage.host(1)
        let watcher = stage.open()
        stage.send(.watch(try ServerStage.device(9), try ServerStage.token(of: 9)), from: watcher)
        stage.pass(.seconds(9))
        #expect(stage.closed.isEmpty)
        stage.pass(.seconds(2))
        #expect(stage.take(stranger) == [.refused(.idle)] && stage.drops[.idle] == 1)
        stage.pass(.seconds(600))
        #expect(stage.closed == [stranger])
        #expect(stage.take(host).isEmpty)
    }

    @Test("The store is told of registrations, permits and departures")
    func orders() throws {
        let stage = ServerStage()
        let host = try stage.host(1)
        let device = try ServerStage.device(1)
        let permit = Permit(tag: try ServerStage.tag(of: 1), seconds: 0)
        #expect(stage.takeOrders() == [.seen(device, publicKey: ToySigner(1).publicKey), .permits(device, [permit])])
        stage.feed(.closed(host))
        #expect(stage.takeOrders() == [.left(device)] && stage.events.last == .offline(device))
    }
}
