import HelioCore
import HelioHost
import HelioMedia
import HelioRemoteWire
import HelioSession
import HelioSimulation
import Testing

@Suite("What a browser's person wants of the picture")
struct WebQualityTests {
    private static func names(_ events: [SourceHost.Event]) -> [String] {
        events.compactMap {
            switch $0 {
            case .bitrate(let rate): "\(rate.bitsPerSecond / 1000)"
            case .second(let rate): "second \(rate.map { $0.bitsPerSecond / 1000 } ?? 0)"
            case .prefers(let kind, let encoding): "\(encoding) \(kind?.rawValue ?? "any")"
            default: nil
            }
        }
    }

    @Test("the bitrate keeps to what the person wants, and to the path where that carries less")
    func most() {
        let world = WebWorld()
        let browser = world.watch()
        browser.peer(.peerEstimate(.megabits(20)))
        world.pass(.seconds(5))
        let agreed = world.host.statistics.agreedBitrate
        #expect(world.host.statistics.bitrate == agreed && agreed > .megabits(2))
        _ = world.takeEvents()
        browser.does(.quality(PictureWish(most: .kilobits(1500))))
        #expect(Self.names(world.takeEvents()) == ["1500"])
        browser.does(.quality(PictureWish(most: .kilobits(1500))))
        world.pass(.seconds(5))
        #expect(Self.names(world.takeEvents()).isEmpty)
        browser.peer(.peerEstimate(.kilobits(800)))
        world.pass(.seconds(1))
        #expect(world.host.statistics.bitrate == .kilobits(800))
        // The reported bitrate is that of the path.
        #expect(world.host.statistics.viewers.map(\.suggestedBitrate) == [.kilobits(800)])
        browser.peer(.peerEstimate(.megabits(20)))
        world.pass(.seconds(1))
        #expect(world.host.statistics.bitrate == .kilobits(1500))
        browser.does(.quality(PictureWish()))
        world.pass(.seconds(1))
        #expect(world.host.statistics.bitrate == agreed)
    }

    @Test("one who saves data is sent another encode than the others, and costs them nothing")
    func apart() {
        let world = WebWorld(slowViewers: .secondEncode)
        let first = world.watch()
        let second = world.watch(address: "10.0.0.8")
        for browser in [first, second] { browser.peer(.peerEstimate(.megabits(20))) }
        world.pass(.seconds(10))
        let agreed = world.host.statistics.agreedBitrate
        _ = world.takeEvents()
        second.does(.quality(PictureWish(most: .kilobits(500), prefers: .sharpness)))
        first.does(.quality(PictureWish(prefers: .motion)))
        var encoder = TestEncoder(seed: 1)
        for _ in 0..<10 {
            world.pass(.seconds(1))
            for slice in encoder.frame(keyframe: false, now: world.now) { world.tell(.slice(slice)) }
        }
        let names = Self.names(world.takeEvents())
        #expect(names == ["second 500", "second text", "main motion"], "\(names)")
        #expect(world.host.statistics.bitrate == agreed)
        #expect(world.host.statistics.second?.bitrate == .kilobits(500))
        #expect(world.host.statistics.viewers.map(\.encoding) == [.main, .second])
    }

    @Test("what is to be kept is told where those who say so agree, and no more once they have left")
    func preference() {
        let world = WebWorld()
        let first = world.watch()
        let second = world.watch(address: "10.0.0.8")
        _ = world.watch(address: "10.0.0.9")
        for browser in [first, second] { browser.peer(.peerEstimate(.megabits(20))) }
        world.pass(.seconds(5))
        _ = world.takeEvents()
        first.does(.quality(PictureWish(prefers: .motion)))
        #expect(Self.names(world.takeEvents()) == ["main motion"])
        second.does(.quality(PictureWish(prefers: .sharpness)))
        #expect(Self.names(world.takeEvents()) == ["main any"])
        second.does(.quality(PictureWish(prefers: .motion)))
        #expect(Self.names(world.takeEvents()) == ["main motion"])
        second.does(.quality(PictureWish()))
        #expect(Self.names(world.takeEvents()).isEmpty)
        first.peer(.peerLeft)
        #expect(Self.names(world.takeEvents()) == ["main any"])
    }

    @Test("who changes his mind all the time changes what is coded twice a second at most")
    func undecided() {
        let world = WebWorld()
        let browser = world.watch()
        browser.peer(.peerEstimate(.megabits(20)))
        world.pass(.seconds(5))
        _ = world.takeEvents()
        for count in 0..<500 {
            browser.does(.quality(PictureWish(most: count % 2 == 0 ? .kilobits(1500) : .kilobits(2500))))
            world.pass(.milliseconds(10))
        }
        #expect(Self.names(world.takeEvents()).count <= 11)
    }

    @Test("before it watches it can't say so, and who only watches may")
    func order() {
        let world = WebWorld(allowsControl: false)
        let browser = world.open()
        browser.join(world.host.linkSecret)
        browser.does(.quality(PictureWish(most: .kilobits(500))))
        browser.send(.offer(sdp: browser.offer()))
        browser.peer(.peerControlOpen)
        browser.does(.quality(PictureWish(most: .kilobits(500))))
        #expect(world.drops["web-out-of-order"] == 1)
        browser.peer(.peerConnected)
        browser.peer(.peerEstimate(.megabits(20)))
        world.pass(.seconds(5))
        #expect(world.host.statistics.bitrate == world.host.statistics.agreedBitrate)
        browser.does(.quality(PictureWish(most: .kilobits(500))))
        world.pass(.seconds(1))
        #expect(world.host.statistics.bitrate == .kilobits(500))
        browser.peer(.peerMessage(Array(#"{"type":"quality","most":1}"#.utf8), .control))
        world.pass(.seconds(1))
        #expect(world.host.statistics.bitrate == .kilobits(500))
    }
}
