import HelioCore
import HelioHost
import HelioRemoteWire
import HelioSession
import HelioSimulation
import Testing

@Suite("A browser's page is not seen")
struct WebPictureTests {
    private static func names(_ events: [SourceHost.Event]) -> [String] {
        events.compactMap {
            switch $0 {
            case .watched(let watched): "watched: \(watched)"
            case .keyframeNeeded: "keyframe"
            default: nil
            }
        }
    }

    private static func takers(
        _ world: WebWorld, _ encoder: inout TestEncoder, keyframe: Bool
    ) -> [[ConnectionID]] {
        for slice in encoder.frame(keyframe: keyframe, now: world.now) { world.tell(.slice(slice)) }
        return world.takeSlices().map(\.to)
    }

    @Test("where nobody else watches nothing is coded, and all begins anew when it is seen again")
    func alone() {
        let world = WebWorld()
        let browser = world.watch()
        world.pass(.seconds(5))
        _ = world.takeEvents()
        browser.does(.videoEnabled(false))
        #expect(Self.names(world.takeEvents()).isEmpty)
        world.pass(.seconds(1))
        #expect(Self.names(world.takeEvents()) == ["watched: false"])
        #expect(world.host.statistics.viewers.map(\.isPaused) == [true])
        // It still has control and receives all other messages.
        browser.does(.click(.left, count: 1, at: nil))
        #expect(world.takeInjected().count == 2)
        world.pass(.seconds(600))
        #expect(browser.state == .watching && Self.names(world.takeEvents()).isEmpty)
        browser.peer(.peerKeyframeNeeded)
        #expect(Self.names(world.takeEvents()).isEmpty)
        browser.does(.videoEnabled(true))
        #expect(Self.names(world.takeEvents()) == ["watched: true", "keyframe"])
        #expect(world.host.statistics.viewers.map(\.isPaused) == [false])
        browser.does(.videoEnabled(true))
        #expect(Self.names(world.takeEvents()).isEmpty)
    }

    @Test("others go on; the one that comes back gets whole frames from a keyframe on")
    func others() {
        let world = WebWorld()
        var encoder = TestEncoder(seed: 1)
        let first = world.watch()
        let second = world.watch(address: "10.0.0.8")
        let both = [first.id, second.id]
        #expect(Self.takers(world, &encoder, keyframe: true) == [both, both])
        first.does(.videoEnabled(false))
        #expect(Self.takers(world, &encoder, keyframe: false) == [both, both])
        world.pass(.seconds(1))
        #expect(Self.takers(world, &encoder, keyframe: false) == [[second.id], [second.id]])
        #expect(Self.takers(world, &encoder, keyframe: true) == [[second.id], [second.id]])
        _ = world.takeEvents()
        first.does(.videoEnabled(true))
        #expect(Self.names(world.takeEvents()) == ["keyframe"])
        #expect(Self.takers(world, &encoder, keyframe: false) == [[second.id], [second.id]])
        #expect(Self.takers(world, &encoder, keyframe: true) == [both, both])
    }

    @Test("who changes his mind all the time is sent the picture all the while, and costs nobody a keyframe")
    func undecided() {
        let world = WebWorld()
        let browser = world.watch()
        world.pass(.seconds(5))
        _ = world.takeEvents()
        for count in 0..<500 {
            browser.does(.videoEnabled(count % 2 == 1))
            world.pass(.milliseconds(10))
        }
        #expect(Self.names(world.takeEvents()).isEmpty)
        // The delay of one second runs from the first of several messages.
        browser.does(.videoEnabled(false))
        world.pass(.milliseconds(900))
        browser.does(.videoEnabled(false))
        world.pass(.milliseconds(100))
        #expect(Self.names(world.takeEvents()) == ["watched: false"])
    }

    @Test("one that leaves while it is not seen leaves nothing, and before it watches it can't say so")
    func leaving() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(.videoEnabled(false))
        world.pass(.seconds(2))
        _ = world.takeEvents()
        browser.peer(.peerLeft)
        #expect(Self.names(world.takeEvents()).isEmpty)
        #expect(world.host.held.values.allSatisfy { $0 == 0 } && world.host.deadline == nil)
        let next = world.watch()
        #expect(Self.names(world.takeEvents()) == ["watched: true", "keyframe"])
        next.does(.videoEnabled(false))
        next.peer(.peerLost)
        world.pass(.seconds(2))
        #expect(Self.names(world.takeEvents()) == ["watched: false"])
        #expect(world.host.deadline == nil)
    }

    @Test("sound goes on")
    func sound() throws {
        let world = try SoundWorld()
        try world.askForSound()
        try world.hear(for: .milliseconds(200))
        let before = world.takePackets().count
        world.show(keyframe: true)
        try world.run(for: .milliseconds(100))
        let frames = world.frames
        #expect(before > 10 && frames > 0)
        try world.does(.videoEnabled(false))
        try world.run(for: .seconds(2))
        #expect(world.demand[.system] != nil)
        world.show(keyframe: true)
        try world.hear(for: .milliseconds(200))
        #expect(world.takePackets().count > 10 && world.frames == frames)
        try world.does(.videoEnabled(true))
        try world.run(for: .milliseconds(100))
        world.show(keyframe: true)
        try world.run(for: .milliseconds(100))
        #expect(world.frames > frames)
    }
}
