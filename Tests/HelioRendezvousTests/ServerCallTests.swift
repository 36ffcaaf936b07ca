import HelioCore
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire
import HelioTURN
import Testing

@Suite("A server's calls")
struct ServerCallTests {
    private static let one = CallNumber(1)
    private static let served = ServerStage.served(1)

    @Test("A ring with a right token reaches the host, which learns the tag and the address")
    func ring() throws {
        let (stage, host, viewer) = try ServerStage.connected()
        #expect(
            stage.take(host) == [.rung(Self.served, try ServerStage.tag(of: 1), address: "198.51.100.7")])
        #expect(stage.take(viewer) == [.ringing(Self.one)])
        #expect(stage.statistics.calls == 1 && stage.statistics.reached == 1)
    }

    @Test("Messages and datagrams pass both ways, as they are")
    func messages() throws {
        let (stage, host, viewer) = try ServerStage.connected()
        _ = (stage.take(host), stage.take(viewer))
        stage.send(.message(Self.one, [1, 2]), from: viewer)
        stage.send(.data(Self.one, [3]), from: viewer)
        stage.send(.message(Self.served, [4]), from: host)
        stage.send(.data(Self.served, [5, 6]), from: host)
        #expect(stage.take(host) == [.message(Self.served, [1, 2]), .data(Self.served, [3])])
        #expect(stage.take(viewer) == [.message(Self.one, [4]), .data(Self.one, [5, 6])])
        #expect(stage.statistics.messages == 2 && stage.statistics.datagrams == 2 && stage.statistics.bytes == 6)
    }

    @Test("Either end hangs up, and the other is told; the number may be used again")
    func hangUps() throws {
        for byHost in [false, true] {
            let (stage, host, viewer) = try ServerStage.connected()
            _ = (stage.take(host), stage.take(viewer))
            if byHost {
                stage.send(.hangUp(Self.served, .busy), from: host)
                #expect(stage.take(viewer) == [.hungUp(Self.one, .busy)] && stage.take(host).isEmpty)
            } else {
                stage.send(.hangUp(Self.one, .ended), from: viewer)
                #expect(stage.take(host) == [.hungUp(Self.served, .ended)] && stage.take(viewer).isEmpty)
            }
            stage.send(.message(Self.one, [1]), from: viewer)
            stage.send(.hangUp(Self.served, .ended), from: host)
            #expect(stage.drops[.unknownCall] == 2 && stage.statistics.calls == 0)
            stage.send(try ServerStage.ring(1), from: viewer)
            #expect(stage.take(viewer) == [.ringing(Self.one)])
        }
    }

    @Test("An end can't say what only a server knows")
    func falseReasons() throws {
        let (stage, host, viewer) = try ServerStage.connected()
        _ = stage.take(viewer)
        stage.send(.hangUp(Self.served, .unreachable), from: host)
        #expect(stage.take(viewer) == [.hungUp(Self.one, .ended)])
    }

    @Test("A lost connection ends its calls as lost, at either end")
    func lost() throws {
        for isHost in [false, true] {
            let (stage, host, viewer) = try ServerStage.connected()
            _ = (stage.take(host), stage.take(viewer))
            stage.feed(.closed(isHost ? host : viewer))
            #expect(stage.take(viewer) == (isHost ? [.hungUp(Self.one, .lost)] : []))
            #expect(stage.take(host) == (isHost ? [] : [.hungUp(Self.served, .lost)]))
        }
    }

    @Test("A wrong token, a tag used as a token, and an unknown device are all not permitted")
    func wrongTokens() throws {
        let stage = ServerStage()
        let host = try stage.host(1)
        let viewer = stage.open()
        let tag = try ServerStage.tag(of: 1)
        let stolen = try #require(RingToken(tag.bytes))
        let rings: [(RendezvousID, RingToken)] = [
            (try ServerStage.device(1), try ServerStage.token(of: 2)), (try ServerStage.device(1), stolen),
            (try ServerStage.device(2), try ServerStage.token(of: 2)),
        ]
        for (device, token) in rings {
            stage.send(.ring(Self.one, device, token), from: viewer)
            #expect(stage.take(viewer) == [.hungUp(Self.one, .notPermitted)])
        }
        #expect(stage.take(host).isEmpty && stage.drops[.notPermitted] == 3)
    }

    @Test("A permit expires, and a new list replaces the old one")
    func permits() throws {
        let stage = ServerStage()
        let tag = try ServerStage.tag(of: 1)
        let host = try stage.host(1, permits: [Permit(tag: tag, seconds: 60)])
        let viewer = stage.open()
        stage.pass(.milliseconds(9_000))
        stage.send(try ServerStage.ring(1), from: viewer)
        #expect(stage.take(viewer) == [.ringing(Self.one)])
        stage.pass(.milliseconds(50_999))
        stage.send(try ServerStage.ring(1, as: 2), from: viewer)
        #expect(stage.take(viewer) == [.ringing(CallNumber(2))])
        stage.pass(.milliseconds(1))
        stage.send(try ServerStage.ring(1, as: 3), from: viewer)
        #expect(stage.take(viewer) == [.hungUp(CallNumber(3), .notPermitted)])
        stage.send(.permit([Permit(tag: tag, seconds: 0)]), from: host)
        stage.send(try ServerStage.ring(1, as: 3), from: viewer)
        #expect(stage.take(viewer) == [.ringing(CallNumber(3))])
        stage.send(.permit([]), from: host)
        stage.send(try ServerStage.ring(1, as: 4), from: viewer)
        #expect(stage.take(viewer) == [.hungUp(CallNumber(4), .notPermitted)])
    }

    @Test("A host that is offline is unreachable for who has a permit")
    func offline() throws {
        let stage = ServerStage()
        stage.feed(.closed(try stage.host(1)))
        let viewer = stage.open()
        stage.send(try ServerStage.ring(1), from: viewer)
        stage.send(.ring(CallNumber(2), try ServerStage.device(1), try ServerStage.token(of: 2)), from: viewer)
        #expect(
            stage.take(viewer) == [.hungUp(Self.one, .unreachable), .hungUp(CallNumber(2), .notPermitted)])
    }

    @Test("A number that is in use, or is a server's, ends the connection")
    func numbers() throws {
        let (stage, _, viewer) = try ServerStage.connected()
        _ = stage.take(viewer)
        stage.send(try ServerStage.ring(1), from: viewer)
        #expect(stage.take(viewer).contains(.refused(.protocolError)))
        let other = stage.open()
        stage.send(.ring(Self.served, try ServerStage.device(1), try ServerStage.token(of: 1)), from: other)
        #expect(stage.take(other) == [.refused(.protocolError)])
    }

    @Test("A call of another connection can't be spoken in")
    func foreignCalls() throws {
        let (stage, host, viewer) = try ServerStage.connected()
        _ = (stage.take(host), stage.take(viewer))
        let stranger = stage.open()
        for number in [Self.one, Self.served] {
            stage.send(.message(number, [1]), from: stranger)
            stage.send(.data(number, [1]), from: stranger)
            stage.send(.hangUp(number, .ended), from: stranger)
        }
        #expect(stage.take(host).isEmpty && stage.take(viewer).isEmpty && stage.drops[.unknownCall] == 6)
    }

    @Test("A device may ring itself: the numbers do not meet")
    func ownCall() throws {
        let stage = ServerStage()
        let host = try stage.host(1)
        stage.send(try ServerStage.ring(1), from: host)
        stage.send(.message(Self.one, [1]), from: host)
        stage.send(.message(Self.served, [2]), from: host)
        let frames = stage.take(host)
        #expect(frames.suffix(2) == [.message(Self.served, [1]), .message(Self.one, [2])])
        stage.feed(.closed(host))
        #expect(stage.statistics.calls == 0 && stage.take(host).isEmpty)
    }

    @Test("Both ends get TURN servers before anything else of the call, with credentials that coturn takes")
    func turn() throws {
        let secret = TURNSharedSecret(SecretBytes([1, 2, 3]), life: .seconds(600), clockOffset: .seconds(1_000))
        let (stage, host, viewer) = try ServerStage.connected {
            $0.turn = RendezvousServer.TURN(urls: ["turn:t.example"], secret: secret, life: .seconds(600))
        }
        let device = try ServerStage.device(1)
        let expected = try secret.credentials(for: device.text, now: .zero, crypto: ServerStage.crypto)
        let entry = TURNEntry(
            url: "turn:t.example", username: expected.username, credential: expected.password)
        #expect(stage.take(host).first == .turn(Self.served, [entry], seconds: 600))
        #expect(stage.take(viewer) == [.turn(Self.one, [entry], seconds: 600), .ringing(Self.one)])
        #expect(expected.username.hasPrefix("1600:"))
    }

    // MARK: The store

    @Test("A ring of a device that only the store knows waits for it, and messages with it")
    func stored() throws {
        let stage = ServerStage { $0.hasStore = true }
        let viewer = stage.open()
        let device = try ServerStage.device(1)
        let permit = Permit(tag: try ServerStage.tag(of: 1), seconds: 0)
        stage.send(try ServerStage.ring(1), from: viewer)
        stage.send(.message(Self.one, [1]), from: viewer)
        #expect(stage.take(viewer).isEmpty && stage.takeOrders() == [.load(device)])
        stage.feed(.stored(device, RendezvousServer.DeviceFacts(permits: [permit], lastSeen: .seconds(60))))
        #expect(stage.take(viewer) == [.hungUp(Self.one, .unreachable)])
        stage.send(try ServerStage.ring(3, as: 3), from: viewer)
        stage.feed(.stored(try ServerStage.device(3), nil))
        #expect(stage.take(viewer) == [.hungUp(CallNumber(3), .notPermitted)])
    }

    @Test("An offline device's permits are the store's to remember, and are asked for again")
    func storedPermits() throws {
        let stage = ServerStage { $0.hasStore = true }
        let (device, viewer) = (try ServerStage.device(1), stage.open())
        let permit = Permit(tag: try ServerStage.tag(of: 1), seconds: 0)
        stage.feed(.closed(try stage.host(1)))
        for call in UInt32(1)...2 {
            _ = stage.takeOrders()
            stage.send(try ServerStage.ring(1, as: call), from: viewer)
            #expect(stage.takeOrders() == [.load(device)])
            stage.feed(.stored(device, RendezvousServer.DeviceFacts(permits: [permit], lastSeen: .seconds(60))))
            #expect(stage.take(viewer) == [.hungUp(CallNumber(call), .unreachable)])
        }
        // The host is back, and has not published its permits yet.
        let host = stage.open()
        stage.send(try stage.registration(of: 1, on: host), from: host)
        stage.send(try ServerStage.ring(1, as: 3), from: viewer)
        stage.send(.permit([permit]), from: host)
        stage.feed(.stored(device, RendezvousServer.DeviceFacts(permits: [], lastSeen: .zero)))
        #expect(stage.take(viewer) == [.ringing(CallNumber(3))], "what the device has said since counts")
    }

    @Test("A server that may have forgotten devices takes an unknown one as offline, and its ring as no guess")
    func doubt() throws {
        let stage = ServerStage {
            $0.hasStore = true
            $0.startsInDoubt = true
            $0.guessesOfAddress = .init(burst: 1, perSecond: 0.001)
        }
        let viewer = stage.open()
        var call: UInt32 = 0
        func ring() throws -> [ServerFrame] {
            call += 1
            stage.send(try ServerStage.ring(1, as: call), from: viewer)
            stage.feed(.stored(try ServerStage.device(1), nil))
            return stage.take(viewer)
        }
        for _ in 0..<3 { #expect(try ring() == [.hungUp(CallNumber(call), .unreachable)]) }
        // The host is back, and has published nothing yet.
        let host = try stage.host(1, permits: [])
        #expect(try ring() == [.hungUp(CallNumber(call), .unreachable)])
        #expect(stage.drops[.notKnownYet] == 3 && stage.drops[.notPermitted] == 1)
        stage.feed(.closed(host))
        stage.pass(.seconds(60))
        #expect(try ring() == [.refused(.tooFast)], "what was wrong for a known device has counted")
    }

    @Test("A failing store, and one that is asked too much, leave the ring unreachable")
    func failingStore() throws {
        let stage = ServerStage { ($0.hasStore, $0.mostStoreQuestions) = (true, 1) }
        let viewer = stage.open()
        for number in UInt8(1)...2 { stage.send(try ServerStage.ring(number, as: UInt32(number)), from: viewer) }
        #expect(stage.take(viewer) == [.hungUp(CallNumber(2), .unreachable)] && stage.drops[.storeBusy] == 1)
        stage.feed(.storeFailed)
        stage.feed(.stored(try ServerStage.device(1), nil))
        #expect(stage.take(viewer) == [.hungUp(Self.one, .unreachable)])
        stage.pass(.seconds(60))
        stage.send(try ServerStage.ring(1), from: viewer)
        stage.feed(.stored(try ServerStage.device(1), nil))
        #expect(stage.take(viewer) == [.hungUp(Self.one, .notPermitted)])
    }

    @Test("A store that does not answer leaves the ring unreachable")
    func silentStore() throws {
        let stage = ServerStage { $0.hasStore = true }
        let viewer = stage.open()
        stage.send(try ServerStage.ring(1), from: viewer)
        stage.pass(.seconds(7))
        #expect(stage.take(viewer) == [.hungUp(Self.one, .unreachable)])
    }
}
