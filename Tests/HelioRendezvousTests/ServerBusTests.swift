import HelioCore
import HelioRendezvous
import HelioRendezvousWire
import Testing

@Suite("Instances of a server on a bus")
struct ServerBusTests {
    private static let one = CallNumber(1)
    private static let served = ServerStage.served(1)

    private static func pair(
        _ change: (inout RendezvousServer.Settings) -> Void = { _ in }
    ) -> (bus: BusStage, near: ServerStage, far: ServerStage) {
        let bus = BusStage(2, change)
        bus.pass(.seconds(3))
        return (bus, bus.stages[0], bus.stages[1])
    }

    private struct Joined {
        let bus: BusStage
        let near: ServerStage
        let far: ServerStage
        let viewer: ConnectionID
        let host: ConnectionID
    }

    /// A viewer at the first instance, in a call with a host at the second.
    private static func joined() throws -> Joined {
        let (bus, near, far) = pair()
        let host = try bus.host(1, at: 1)
        let viewer = near.open()
        bus.send(try ServerStage.ring(1), from: viewer, at: 0)
        return Joined(bus: bus, near: near, far: far, viewer: viewer, host: host)
    }

    @Test("Instances find each other, and learn the devices that were there before")
    func discovery() throws {
        let bus = BusStage(3)
        bus.silent = [2]
        _ = try bus.host(1, at: 0)
        bus.silent = []
        bus.pass(.seconds(5))
        for stage in bus.stages { #expect(stage.statistics.instances == 2) }
        let viewer = bus.stages[2].open()
        bus.send(try ServerStage.ring(1), from: viewer, at: 2)
        #expect(bus.stages[2].take(viewer) == [.ringing(Self.one)])
    }

    @Test("A ring, messages, datagrams and both ends' hang-ups cross from one instance to the other")
    func calls() throws {
        for byHost in [false, true] {
            let all = try Self.joined()
            #expect(
                all.far.take(all.host) == [.rung(Self.served, try ServerStage.tag(of: 1), address: "192.0.2.1")])
            #expect(all.near.take(all.viewer) == [.ringing(Self.one)])
            all.bus.send(.message(Self.one, [1]), from: all.viewer, at: 0)
            all.bus.send(.data(Self.one, [2]), from: all.viewer, at: 0)
            all.bus.send(.message(Self.served, [3]), from: all.host, at: 1)
            all.bus.send(.data(Self.served, [4]), from: all.host, at: 1)
            #expect(all.far.take(all.host) == [.message(Self.served, [1]), .data(Self.served, [2])])
            #expect(all.near.take(all.viewer) == [.message(Self.one, [3]), .data(Self.one, [4])])
            if byHost {
                all.bus.send(.hangUp(Self.served, .busy), from: all.host, at: 1)
                #expect(all.near.take(all.viewer) == [.hungUp(Self.one, .busy)] && all.far.take(all.host).isEmpty)
            } else {
                all.bus.send(.hangUp(Self.one, .ended), from: all.viewer, at: 0)
                #expect(all.far.take(all.host) == [.hungUp(Self.served, .ended)])
                #expect(all.near.take(all.viewer).isEmpty)
            }
            #expect(all.near.statistics.calls == 0 && all.far.statistics.calls == 0)
            #expect(all.near.drops.total == 0 && all.far.drops.total == 0)
        }
    }

    @Test("Messages before the host was reached arrive behind the ring, in order")
    func early() throws {
        let (bus, near, far) = Self.pair()
        let host = try bus.host(1, at: 1)
        let viewer = near.open()
        near.send(try ServerStage.ring(1), from: viewer)
        for number in UInt8(1)...3 { near.send(.message(Self.one, [number]), from: viewer) }
        bus.settle()
        let expected: [ServerFrame] = [1, 2, 3].map { .message(Self.served, [$0]) }
        #expect(Array(far.take(host).dropFirst()) == expected)
    }

    @Test("Wrong tokens and expired permits are refused at the ringer's instance")
    func wrongTokens() throws {
        let (bus, near, far) = Self.pair()
        let host = try bus.host(1, at: 1)
        let viewer = near.open()
        bus.send(.ring(Self.one, try ServerStage.device(1), try ServerStage.token(of: 2)), from: viewer, at: 0)
        bus.send(.permit([Permit(tag: try ServerStage.tag(of: 1), seconds: 4)]), from: host, at: 1)
        bus.pass(.seconds(5))
        bus.send(try ServerStage.ring(1, as: 2), from: viewer, at: 0)
        #expect(
            near.take(viewer) == [.hungUp(Self.one, .notPermitted), .hungUp(CallNumber(2), .notPermitted)])
        #expect(far.take(host).isEmpty && near.drops[.notPermitted] == 2)
    }

    @Test("The host's instance applies its limits to rings from elsewhere")
    func farLimits() throws {
        let (bus, near, far) = Self.pair { $0.callsOfDevice = 1 }
        _ = try bus.host(1, at: 1)
        let viewer = near.open()
        for call in UInt32(1)...2 { bus.send(try ServerStage.ring(1, as: call), from: viewer, at: 0) }
        #expect(near.take(viewer) == [.ringing(Self.one), .hungUp(CallNumber(2), .tooMany)])
        #expect(far.drops[.deviceCalls] == 1)
    }

    @Test("A lost connection ends its calls at the other instance")
    func lost() throws {
        for isHost in [false, true] {
            let all = try Self.joined()
            _ = (all.near.take(all.viewer), all.far.take(all.host))
            all.bus.close(isHost ? all.host : all.viewer, at: isHost ? 1 : 0)
            #expect(all.near.take(all.viewer) == (isHost ? [.hungUp(Self.one, .lost)] : []))
            #expect(all.far.take(all.host) == (isHost ? [] : [.hungUp(Self.served, .lost)]))
        }
    }

    @Test("A viewer that is gone before the host answers leaves no call behind")
    func goneEarly() throws {
        let (bus, near, far) = Self.pair()
        _ = try bus.host(1, at: 1)
        let viewer = near.open()
        near.send(try ServerStage.ring(1), from: viewer)
        near.feed(.closed(viewer))
        bus.settle()
        #expect(near.statistics.calls == 0 && far.statistics.calls == 0)
        #expect(near.drops[.busUnknownCall] == 1)
    }

    @Test("An instance that does not answer a ring leaves it unreachable")
    func silentFar() throws {
        let (bus, near, _) = Self.pair()
        _ = try bus.host(1, at: 1)
        let viewer = near.open()
        bus.silent = [1]
        bus.send(try ServerStage.ring(1), from: viewer, at: 0)
        bus.pass(.seconds(6))
        #expect(near.take(viewer) == [.hungUp(Self.one, .unreachable)])
    }

    @Test("Presence crosses from one instance to the other, for right tokens only")
    func presence() throws {
        let (bus, near, _) = Self.pair()
        let device = try ServerStage.device(1)
        let (right, wrong) = (near.open(), near.open())
        bus.send(.watch(device, try ServerStage.token(of: 1)), from: right, at: 0)
        bus.send(.watch(device, try ServerStage.token(of: 2)), from: wrong, at: 0)
        let host = try bus.host(1, at: 1)
        bus.close(host, at: 1)
        #expect(
            near.take(right) == [
                .presence(device, .unknown, secondsAgo: 0), .presence(device, .online, secondsAgo: 0),
                .presence(device, .offline, secondsAgo: 0),
            ])
        #expect(near.take(wrong) == [.presence(device, .unknown, secondsAgo: 0)])
    }

    @Test("A device that moves is thrown out where it was, and is rung where it is")
    func moves() throws {
        let (bus, near, far) = Self.pair()
        let device = try ServerStage.device(1)
        let watcher = near.open()
        let before = try bus.host(1, at: 1)
        bus.send(.watch(device, try ServerStage.token(of: 1)), from: watcher, at: 0)
        for index in [0, 1, 0] {
            let host = try bus.host(1, at: index)
            let viewer = bus.stages[1 - index].open()
            bus.send(try ServerStage.ring(1), from: viewer, at: 1 - index)
            #expect(bus.stages[1 - index].take(viewer) == [.ringing(Self.one)])
            #expect(bus.stages[index].take(host).count == 1)
            #expect(bus.stages[1 - index].statistics.registered == 0)
        }
        #expect(far.take(before) == [.refused(.replaced)] && far.closed.contains(before))
        #expect(near.take(watcher) == [.presence(device, .online, secondsAgo: 0)], "the device was never away")
    }

    @Test("Two registrations at the same time leave one, at the same instance for all")
    func race() throws {
        let bus = BusStage(3)
        bus.pass(.seconds(3))
        let hosts = [try bus.stages[0].host(1), try bus.stages[1].host(1)]
        bus.settle()
        #expect(bus.stages[0].take(hosts[0]) == [.refused(.replaced)])
        #expect(bus.stages[1].take(hosts[1]).isEmpty)
        let viewer = bus.stages[2].open()
        bus.send(try ServerStage.ring(1), from: viewer, at: 2)
        #expect(bus.stages[2].take(viewer) == [.ringing(Self.one)])
        #expect(bus.stages[1].take(hosts[1]).count == 1)
    }

    @Test("An instance that dies takes its devices and calls with it")
    func dies() throws {
        let all = try Self.joined()
        let device = try ServerStage.device(1)
        all.bus.send(.watch(device, try ServerStage.token(of: 1)), from: all.viewer, at: 0)
        _ = all.near.take(all.viewer)
        all.bus.silent = [1]
        all.bus.pass(.seconds(4))
        #expect(all.near.take(all.viewer).isEmpty)
        all.bus.pass(.seconds(5))
        let frames = all.near.take(all.viewer)
        #expect(frames.first == .hungUp(Self.one, .lost) && frames.count == 2)
        guard case .presence(device, .offline, let seconds) = frames.last else {
            Issue.record("no presence")
            return
        }
        #expect((7...8).contains(seconds))
        #expect(all.near.events.contains(.instanceLost(all.bus.name(1))) && all.near.statistics.instances == 0)
        let again = try all.bus.host(1, at: 0)
        all.bus.send(try ServerStage.ring(1, as: 2), from: all.viewer, at: 0)
        #expect(all.near.take(again).count == 1, "the device has come to the instance that lives")
        #expect(all.near.take(all.viewer).last == .ringing(CallNumber(2)))
    }

    @Test("An instance that was away and comes back agrees with the others again")
    func returns() throws {
        let all = try Self.joined()
        all.bus.silent = [1]
        all.bus.pass(.seconds(9))
        all.bus.silent = []
        all.bus.pass(.seconds(5))
        #expect(all.near.statistics.instances == 1 && all.far.statistics.instances == 1)
        all.bus.send(try ServerStage.ring(1, as: 7), from: all.viewer, at: 0)
        #expect(all.near.take(all.viewer).last == .ringing(CallNumber(7)))
    }

    @Test("A drained instance is gone at once")
    func drained() throws {
        let all = try Self.joined()
        _ = (all.near.take(all.viewer), all.far.take(all.host))
        all.far.feed(.drain)
        all.far.feed(.closed(all.host))
        all.bus.settle()
        #expect(all.far.events.last == .drained && all.far.deadline == nil)
        #expect(all.near.statistics.instances == 0)
        #expect(all.near.take(all.viewer) == [.hungUp(Self.one, .lost)])
        all.bus.send(try ServerStage.ring(1, as: 2), from: all.viewer, at: 0)
        #expect(all.near.take(all.viewer) == [.hungUp(CallNumber(2), .unreachable)])
    }

    @Test("News that the bus has lost are asked for")
    func lostNews() throws {
        let (bus, near, _) = Self.pair()
        bus.losesNews = true
        _ = try bus.host(1, at: 1)
        let viewer = near.open()
        bus.send(try ServerStage.ring(1), from: viewer, at: 0)
        #expect(near.take(viewer) == [.hungUp(Self.one, .notPermitted)])
        bus.losesNews = false
        bus.pass(.seconds(3))
        bus.send(try ServerStage.ring(1, as: 2), from: viewer, at: 0)
        #expect(near.take(viewer) == [.ringing(CallNumber(2))])
    }

    @Test("After an interruption of the bus, all devices are asked for again")
    func interrupted() throws {
        let (bus, near, _) = Self.pair()
        bus.losesRecords = true
        _ = try bus.host(1, at: 1)
        bus.pass(.seconds(5))
        bus.losesRecords = false
        bus.pass(.seconds(5))
        let viewer = near.open()
        bus.send(try ServerStage.ring(1), from: viewer, at: 0)
        #expect(near.take(viewer) == [.hungUp(Self.one, .notPermitted)], "nothing has said that records were lost")
        near.feed(.busInterrupted)
        bus.pass(.seconds(3))
        bus.send(try ServerStage.ring(1, as: 2), from: viewer, at: 0)
        #expect(near.take(viewer) == [.ringing(CallNumber(2))])
        let single = ServerStage()
        single.feed(.busInterrupted)
        #expect(single.takeBus().isEmpty && single.deadline == nil)
    }

    @Test("Messages that are none, cut off, of strangers, or of other calls are dropped")
    func hostile() throws {
        let all = try Self.joined()
        all.near.feed(.bus(BusMessage([])))
        all.near.feed(.bus(BusMessage([UInt8](repeating: 1, count: 100))))
        #expect(all.near.drops[.busUnparsable] == 2)
        _ = all.near.takeBus()
        all.near.send(.message(Self.one, [1, 2, 3]), from: all.viewer)
        let message = try #require(all.near.takeBus().first?.bytes)
        // The version, the type and the sender's name are 18 bytes, the call's number 8.
        for count in 0..<26 { all.far.feed(.bus(BusMessage(Array(message.prefix(count))))) }
        #expect(all.far.drops[.busUnparsable] == 26)
        var stranger = message
        stranger[2] = 99
        all.far.feed(.bus(BusMessage(stranger)))
        #expect(all.far.drops[.busUnknownInstance] == 1)
        var other = message
        other[25] = 99
        all.far.feed(.bus(BusMessage(other)))
        #expect(all.far.drops[.busUnknownCall] == 1)
        let single = ServerStage()
        single.feed(.bus(BusMessage(message)))
        #expect(single.drops[.busUnknownInstance] == 1)
    }
}
