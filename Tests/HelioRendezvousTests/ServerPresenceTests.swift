import HelioCore
import HelioRendezvous
import HelioRendezvousWire
import Testing

@Suite("A server's presence")
struct ServerPresenceTests {
    private static func watch(_ number: UInt8, token: UInt8) throws -> ClientFrame {
        .watch(try ServerStage.device(number), try ServerStage.token(of: token))
    }

    @Test("Who has a permit learns that a device is online, leaves, and for how long it has been away")
    func permitted() throws {
        let stage = ServerStage()
        let device = try ServerStage.device(1)
        let host = try stage.host(1)
        let viewer = stage.open()
        stage.send(try Self.watch(1, token: 1), from: viewer)
        #expect(stage.take(viewer) == [.presence(device, .online, secondsAgo: 0)])
        stage.pass(.seconds(5))
        stage.feed(.closed(host))
        #expect(stage.take(viewer) == [.presence(device, .offline, secondsAgo: 0)])
        stage.pass(.seconds(30))
        let other = stage.open()
        stage.send(try Self.watch(1, token: 1), from: other)
        #expect(stage.take(other) == [.presence(device, .offline, secondsAgo: 30)])
        _ = try stage.host(1)
        for id in [viewer, other] { #expect(stage.take(id) == [.presence(device, .online, secondsAgo: 0)]) }
    }

    @Test("A wrong token learns nothing, whatever the device does")
    func wrongToken() throws {
        let stage = ServerStage()
        let viewer = stage.open()
        let device = try ServerStage.device(1)
        stage.send(try Self.watch(1, token: 2), from: viewer)
        #expect(stage.take(viewer) == [.presence(device, .unknown, secondsAgo: 0)], "an unknown device")
        let host = try stage.host(1)
        stage.send(.permit([]), from: host)
        stage.feed(.closed(host))
        #expect(stage.take(viewer).isEmpty)
        _ = try stage.host(1)
        stage.send(try Self.watch(1, token: 2), from: viewer)
        #expect(stage.take(viewer) == [.presence(device, .unknown, secondsAgo: 0)], "a known one")
    }

    @Test("A permit that is given or withdrawn later changes what its holder learns")
    func changes() throws {
        let stage = ServerStage()
        let device = try ServerStage.device(1)
        let host = try stage.host(1, permits: [])
        let viewer = stage.open()
        stage.send(try Self.watch(1, token: 1), from: viewer)
        stage.send(.permit([Permit(tag: try ServerStage.tag(of: 1), seconds: 60)]), from: host)
        stage.send(.permit([]), from: host)
        #expect(
            stage.take(viewer) == [
                .presence(device, .unknown, secondsAgo: 0), .presence(device, .online, secondsAgo: 0),
                .presence(device, .unknown, secondsAgo: 0),
            ])
    }

    @Test("An expired permit no longer shows the device leaving")
    func expired() throws {
        let stage = ServerStage()
        let device = try ServerStage.device(1)
        let host = try stage.host(1, permits: [Permit(tag: try ServerStage.tag(of: 1), seconds: 5)])
        let viewer = stage.open()
        stage.send(try Self.watch(1, token: 1), from: viewer)
        stage.pass(.seconds(6))
        stage.feed(.closed(host))
        #expect(
            stage.take(viewer) == [
                .presence(device, .online, secondsAgo: 0), .presence(device, .unknown, secondsAgo: 0),
            ])
    }

    @Test("A device that only the store knows is reported once the store has answered")
    func stored() throws {
        let stage = ServerStage { $0.hasStore = true }
        let device = try ServerStage.device(1)
        let viewer = stage.open()
        stage.send(try Self.watch(1, token: 1), from: viewer)
        stage.send(try Self.watch(1, token: 1), from: viewer)
        #expect(stage.takeOrders() == [.load(device)])
        _ = stage.take(viewer)
        let permit = Permit(tag: try ServerStage.tag(of: 1), seconds: 0)
        stage.feed(.stored(device, RendezvousServer.DeviceFacts(permits: [permit], lastSeen: .seconds(90))))
        #expect(stage.take(viewer) == [.presence(device, .offline, secondsAgo: 90)])
    }

    @Test("An address has the store asked at a limited rate by its watches, but not by its rings")
    func storeQuestions() throws {
        let stage = ServerStage {
            $0.hasStore = true
            $0.storeQuestionsOfAddress = .init(burst: 2, perSecond: 1)
        }
        let viewers = [stage.open(), stage.open()]
        for number in UInt8(1)...3 { stage.send(try Self.watch(number, token: 1), from: viewers[Int(number) % 2]) }
        stage.send(try Self.watch(1, token: 1), from: viewers[0])
        #expect(stage.takeOrders() == [.load(try ServerStage.device(1)), .load(try ServerStage.device(2))])
        #expect(stage.drops[.addressQuestions] == 1, "a question that waits already is no other one")
        #expect(stage.take(viewers[1]) == [.presence(try ServerStage.device(3), .unknown, secondsAgo: 0)])
        stage.send(try ServerStage.ring(3), from: viewers[1])
        #expect(stage.takeOrders() == [.load(try ServerStage.device(3))])
        stage.pass(.seconds(1))
        stage.send(try Self.watch(4, token: 1), from: viewers[1])
        #expect(stage.takeOrders() == [.load(try ServerStage.device(4))])
    }

    @Test("A watched device's permits stay here while it is away")
    func watched() throws {
        let stage = ServerStage { $0.hasStore = true }
        let device = try ServerStage.device(1)
        let host = try stage.host(1)
        let viewer = stage.open()
        stage.send(try Self.watch(1, token: 1), from: viewer)
        stage.feed(.closed(host))
        _ = try stage.host(1)
        #expect(
            stage.take(viewer) == [.online, .offline, .online].map { .presence(device, $0, secondsAgo: 0) })
        #expect(!stage.orders.contains(.load(device)))
    }

    @Test("Watches of a connection and watchers of a device have limits")
    func limits() throws {
        let stage = ServerStage { $0.watchersOfDevice = 2 }
        let viewer = stage.open()
        for number in 0..<65 { stage.send(try Self.watch(UInt8(number), token: 1), from: viewer) }
        #expect(stage.drops[.connectionWatches] == 1 && stage.take(viewer).count == 65)
        let others = [stage.open(), stage.open()]
        for id in others { stage.send(try Self.watch(1, token: 1), from: id) }
        #expect(stage.drops[.deviceWatchers] == 1)
        stage.feed(.closed(viewer))
        stage.send(try Self.watch(1, token: 1), from: others[1])
        #expect(stage.drops[.deviceWatchers] == 1, "a watcher that has left makes room")
    }
}
