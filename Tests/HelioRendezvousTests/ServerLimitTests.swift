import HelioCore
import HelioRendezvous
import HelioRendezvousWire
import Testing

@Suite("A server's limits")
struct ServerLimitTests {
    private static let one = CallNumber(1)
    private static let served = ServerStage.served(1)

    /// A call within one address, whose first frames have been taken at both ends.
    private static func connected(
        _ change: (inout RendezvousServer.Settings) -> Void = { _ in }
    ) throws -> (stage: ServerStage, host: ConnectionID, viewer: ConnectionID) {
        let all = try ServerStage.connected(from: ServerStage.home, change)
        _ = (all.stage.take(all.host), all.stage.take(all.viewer))
        return all
    }

    // MARK: Addresses

    @Test("Connections of an address, and of all of an IPv6 network")
    func addressConnections() {
        let stage = ServerStage { $0.connectionsOfAddress = 2 }
        let machines = (1...3).map { IPAddress.v6(high: 0x2001_0DB8_0000_0001, low: $0) }
        let ids = machines.map { stage.open(from: $0) }
        #expect(stage.take(ids[2]) == [.refused(.tooMany)] && stage.closed == [ids[2]])
        #expect(stage.drops[.addressConnections] == 1)
        let other = stage.open(from: .v6(high: 0x2001_0DB8_0000_0002, low: 1))
        #expect(!stage.closed.contains(other))
        stage.feed(.closed(ids[0]))
        #expect(!stage.closed.contains(stage.open(from: machines[2])), "a connection that has ended makes room")
    }

    @Test("Connections and addresses of the server")
    func serverConnections() {
        let stage = ServerStage { ($0.mostConnections, $0.mostAddresses) = (3, 2) }
        _ = [1, 2].map { stage.open(from: .v4($0)) }
        _ = stage.open(from: .v4(3))
        #expect(stage.drops[.addresses] == 1)
        _ = [stage.open(from: .v4(1)), stage.open(from: .v4(1))]
        #expect(stage.drops[.serverConnections] == 1 && stage.statistics.connections == 3)
        stage.feed(.closed(ConnectionID(1)))
        stage.feed(.closed(ConnectionID(2)))
        stage.feed(.closed(ConnectionID(4)))
        stage.pass(.seconds(301))
        #expect(stage.deadline == nil, "nothing is remembered of addresses that are gone")
        #expect(!stage.closed.contains(stage.open(from: .v4(3))))
    }

    @Test("Rings of an address, over all of its connections")
    func addressRings() throws {
        let stage = ServerStage { $0.ringsOfAddress = .init(burst: 2, perSecond: 1) }
        _ = try stage.host(1)
        let viewers = (0..<3).map { _ in stage.open() }
        for viewer in viewers { stage.send(try ServerStage.ring(1), from: viewer) }
        #expect(stage.take(viewers[2]) == [.hungUp(Self.one, .tooFast)] && stage.drops[.addressRings] == 1)
        stage.pass(.seconds(1))
        stage.send(try ServerStage.ring(1), from: viewers[2])
        #expect(stage.take(viewers[2]) == [.ringing(Self.one)])
    }

    @Test("Wrong tokens of an address: the next one ends the connection")
    func addressGuesses() throws {
        let stage = ServerStage { $0.guessesOfAddress = .init(burst: 2, perSecond: 0.1) }
        _ = try stage.host(1)
        let viewer = stage.open()
        for call in 1...3 {
            let wrong = try ServerStage.token(of: UInt8(10 + call))
            stage.send(.ring(CallNumber(UInt32(call)), try ServerStage.device(1), wrong), from: viewer)
        }
        #expect(
            stage.take(viewer) == [
                .hungUp(Self.one, .notPermitted), .hungUp(CallNumber(2), .notPermitted), .refused(.tooFast),
            ])
        #expect(stage.drops[.addressGuesses] == 1)
        let right = stage.open()
        stage.send(try ServerStage.ring(1), from: right)
        #expect(stage.take(right) == [.ringing(Self.one)], "a right token is no guess")
    }

    @Test("New devices of an address, which leaving does not forget; known ones come back")
    func newDevices() throws {
        let stage = ServerStage { $0.newDevicesOfAddress = .init(burst: 2, perSecond: 0.001) }
        for number in UInt8(1)...2 { stage.feed(.closed(try stage.host(number))) }
        func register(_ number: UInt8, from address: IPAddress = ServerStage.home) throws -> [ServerFrame] {
            let id = stage.open(from: address)
            stage.send(try stage.registration(of: number, on: id), from: id)
            stage.feed(.closed(id))
            return stage.take(id)
        }
        #expect(try register(3) == [.refused(.tooFast)] && stage.drops[.addressDevices] == 1)
        #expect(try register(1) == [.registered(try ServerStage.device(1))])
        #expect(try register(4, from: .v4(7)) == [.registered(try ServerStage.device(4))])
        stage.pass(.seconds(900))
        #expect(try register(3) == [.refused(.tooFast)], "the address is not forgotten with what it has used")
        stage.pass(.seconds(101))
        #expect(try register(3) == [.registered(try ServerStage.device(3))])
        stage.pass(.seconds(2_100))
        #expect(stage.deadline == nil, "nothing is remembered of an address for ever")
    }

    // MARK: Connections and devices

    @Test("Calls that a connection makes, and calls of a host")
    func calls() throws {
        let (stage, _, viewer) = try Self.connected { ($0.callsOfConnection, $0.callsOfDevice) = (2, 3) }
        for call in 2...3 { stage.send(try ServerStage.ring(1, as: UInt32(call)), from: viewer) }
        #expect(stage.take(viewer) == [.ringing(CallNumber(2)), .hungUp(CallNumber(3), .tooMany)])
        #expect(stage.drops[.connectionCalls] == 1)
        let other = stage.open()
        for call in 1...2 { stage.send(try ServerStage.ring(1, as: UInt32(call)), from: other) }
        #expect(stage.take(other) == [.ringing(Self.one), .hungUp(CallNumber(2), .tooMany)])
        #expect(stage.drops[.deviceCalls] == 1)
    }

    @Test("Rings of a host, from many addresses")
    func deviceRings() throws {
        let stage = ServerStage { $0.ringsOfDevice = .init(burst: 2, perSecond: 1) }
        _ = try stage.host(1)
        let viewers = (1...3).map { stage.open(from: .v4($0)) }
        for viewer in viewers { stage.send(try ServerStage.ring(1), from: viewer) }
        #expect(stage.take(viewers[2]) == [.hungUp(Self.one, .tooFast)] && stage.drops[.deviceRings] == 1)
    }

    @Test("Frames of a connection, and lists of permits")
    func frames() throws {
        let stage = ServerStage {
            $0.framesOfConnection = .init(burst: 10, perSecond: 1)
            $0.permitsOfDevice = .init(burst: 3, perSecond: 1)
        }
        let fast = stage.open()
        for _ in 0..<11 { stage.send(.hangUp(Self.one, .ended), from: fast) }
        #expect(stage.take(fast) == [.refused(.tooFast)] && stage.drops[.connectionFrames] == 1)
        let host = try stage.host(1)
        for _ in 0..<3 { stage.send(.permit([]), from: host) }
        #expect(stage.take(host) == [.refused(.tooFast)] && stage.drops[.devicePermits] == 1)
    }

    @Test("Datagrams of a connection's calls: those beyond the rate are dropped, and nothing ends")
    func datagrams() throws {
        let (stage, host, viewer) = try Self.connected {
            $0.framesOfConnection = .init(burst: 8, perSecond: 1)
            $0.datagramsOfConnection = .init(burst: 10, perSecond: 10)
        }
        for _ in 0..<12 { stage.send(.data(Self.served, [1]), from: host) }
        #expect(stage.take(viewer).count == 10 && stage.drops[.connectionData] == 2)
        stage.send(.message(Self.served, [2]), from: host)
        #expect(stage.take(viewer) == [.message(Self.one, [2])], "its messages have a rate of their own")
        stage.pass(.seconds(1))
        for _ in 0..<12 { stage.send(.data(Self.served, [1]), from: host) }
        #expect(stage.take(viewer).count == 10 && !stage.closed.contains(host))
        stage.send(.hangUp(Self.served, .ended), from: host)
        for _ in 0..<9 { stage.send(.data(Self.served, [1]), from: host) }
        #expect(stage.take(host) == [.refused(.tooFast)], "without a call, datagrams are frames like others")
    }

    @Test("Devices of the server: those that are offline the longest are forgotten")
    func devices() throws {
        let stage = ServerStage { ($0.mostDevices, $0.mostConnections) = (2, 2) }
        for number in UInt8(1)...4 {
            stage.feed(.closed(try stage.host(number)))
            stage.pass(.milliseconds(10))
        }
        let host = stage.open()
        stage.send(try stage.registration(of: 5, on: host), from: host)
        #expect(stage.take(host) == [.refused(.tooMany)] && stage.drops[.serverDevices] == 1)
        stage.pass(.seconds(1))
        let viewer = stage.open()
        for number in UInt8(1)...4 { stage.send(try ServerStage.ring(number, as: UInt32(number)), from: viewer) }
        #expect(
            stage.take(viewer) == [
                .hungUp(CallNumber(1), .notPermitted), .hungUp(CallNumber(2), .notPermitted),
                .hungUp(CallNumber(3), .unreachable), .hungUp(CallNumber(4), .unreachable),
            ])
    }

    // MARK: Calls

    @Test("Messages of a call, in number and in bytes: the call ends")
    func callMessages() throws {
        for (count, size) in [(4, 1), (2, 600)] {
            let (stage, host, viewer) = try Self.connected {
                $0.messagesOfCall = .init(burst: 3, perSecond: 1)
                $0.messageBytesOfCall = .init(burst: 1_000, perSecond: 100)
            }
            let message = [UInt8](repeating: 1, count: size)
            for _ in 0..<count { stage.send(.message(Self.one, message), from: viewer) }
            #expect(stage.take(viewer) == [.hungUp(Self.one, .tooFast)])
            #expect(stage.take(host).last == .hungUp(Self.served, .tooFast))
            #expect(stage.drops[.callMessages] == 1 && stage.statistics.messages == count - 1)
        }
    }

    @Test("Datagrams of a call: those beyond the rate are dropped, and the call goes on")
    func callData() throws {
        let (stage, host, viewer) = try Self.connected { $0.dataOfCall = .init(burst: 2_000, perSecond: 1_000) }
        let datagram = [UInt8](repeating: 1, count: 1_000)
        for _ in 0..<3 { stage.send(.data(Self.one, datagram), from: viewer) }
        #expect(stage.take(host).count == 2 && stage.drops[.callData] == 1 && stage.statistics.calls == 1)
        stage.pass(.seconds(1))
        stage.send(.data(Self.one, datagram), from: viewer)
        #expect(stage.take(host).count == 1)
    }

    @Test("Messages that wait for the host have a limit")
    func held() throws {
        let stage = ServerStage { ($0.hasStore, $0.heldOfCall) = (true, 2) }
        let viewer = stage.open()
        stage.send(try ServerStage.ring(1), from: viewer)
        for _ in 0..<3 { stage.send(.message(Self.one, [1]), from: viewer) }
        #expect(stage.take(viewer) == [.hungUp(Self.one, .tooFast)] && stage.drops[.callHeld] == 1)
    }

    @Test("So have their bytes")
    func heldBytes() throws {
        let stage = ServerStage { $0.hasStore = true }
        let viewer = stage.open()
        stage.send(try ServerStage.ring(1), from: viewer)
        let long = [UInt8](repeating: 1, count: 60_000)
        for _ in 0..<2 { stage.send(.message(Self.one, long), from: viewer) }
        #expect(stage.drops[.callHeld] == 0)
        stage.send(.message(Self.one, long), from: viewer)
        #expect(stage.take(viewer) == [.hungUp(Self.one, .tooFast)] && stage.drops[.callHeld] == 1)
    }

    @Test("A slow end: first datagrams are dropped, then calls with messages for it end, then its connection")
    func slow() throws {
        let (stage, host, viewer) = try Self.connected()
        stage.feed(.waiting(host, bytes: 100_000))
        stage.send(.data(Self.one, [1]), from: viewer)
        stage.send(.message(Self.one, [2]), from: viewer)
        #expect(stage.take(host) == [.message(Self.served, [2])] && stage.drops[.dataWaiting] == 1)
        stage.feed(.waiting(host, bytes: 500_000))
        stage.send(.message(Self.one, [3]), from: viewer)
        #expect(stage.take(host) == [.hungUp(Self.served, .tooFast)] && stage.drops[.messageWaiting] == 1)
        #expect(stage.take(viewer) == [.hungUp(Self.one, .tooFast)])
        stage.feed(.waiting(host, bytes: 2_000_000))
        #expect(stage.take(host) == [.refused(.tooSlow)] && stage.drops[.slowConnection] == 1)
        #expect(stage.closed == [host])
    }

    // MARK: Draining

    @Test("A draining server asks all to leave, takes nobody, and closes what is left after its time")
    func draining() throws {
        let (stage, host, viewer) = try Self.connected()
        stage.feed(.drain)
        for id in [host, viewer] { #expect(stage.take(id) == [.draining(seconds: 30)]) }
        let late = stage.open()
        #expect(stage.take(late) == [.draining(seconds: 30)] && stage.closed == [late])
        stage.feed(.closed(host))
        #expect(stage.take(viewer) == [.hungUp(Self.one, .lost)] && !stage.events.contains(.drained))
        stage.pass(.seconds(30))
        #expect(stage.closed == [late, viewer] && stage.events.last == .drained)
        #expect(stage.events.count { $0 == .drained } == 1)
    }

    @Test("A draining server ends once everybody has left")
    func drained() throws {
        let (stage, host, viewer) = try Self.connected()
        stage.feed(.drain)
        stage.feed(.closed(viewer))
        stage.feed(.closed(host))
        #expect(stage.events.last == .drained)
        let empty = ServerStage()
        empty.feed(.drain)
        #expect(empty.events == [.drained])
    }
}
