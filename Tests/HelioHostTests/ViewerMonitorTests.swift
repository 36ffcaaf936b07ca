import HelioControlWire
import HelioCore
import HelioRemote
import HelioRemoteWire
import HelioSession
import HelioSimulation
import Testing

@Suite("Viewers of our own kind see and choose monitors, and keep to the host's rate of input")
struct ViewerMonitorTests {
    private static func monitor(_ id: String, name: String? = nil) -> MonitorEntry {
        MonitorEntry(id: id, name: name ?? id, size: PixelSize(width: 640, height: 480), isPrimary: id == "left")
    }

    private static let two = [monitor("left"), monitor("right")]

    @Test("the list comes on joining, on every change and after a pause, and names mislead nobody")
    func list() throws {
        var world = SessionWorld()
        world.host.tell(Self.two, now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.monitors.map(\.list) == [Self.two] && world.viewer.monitors[0].selected == "left")
        world.host.tell([Self.monitor("right", name: "DP\u{1B}[2J-1")], now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.monitors.count == 2 && world.viewer.monitors.last?.list.first?.name == "DP[2J-1")

        world.viewer.session.handle(.pause, now: world.now)
        try world.run(.seconds(1))
        world.host.tell(Self.two, now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.monitors.count == 2)
        world.viewer.session.handle(.resume, now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.monitors.count == 3 && world.viewer.monitors.last?.list == Self.two)
    }

    @Test("a choice reaches the host through a bad network, once")
    func choice() throws {
        var world = SessionWorld(LinkConditions(loss: .random(0.2), delay: .milliseconds(20)), seed: 3)
        world.host.tell(Self.two, now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        world.viewer.send(.selectMonitor(id: "right"), now: world.now)
        try world.run(.seconds(10))
        #expect(world.host.monitorsChosen == ["right"])
    }

    @Test("only one of the list, only who may drive, and only while nobody else does")
    func rules() throws {
        let world = WebWorld()
        let browser = world.watch()
        try world.addNative(70, name: "laptop")
        try world.addNative(71, allowsControl: false)
        world.native(70, does: .selectMonitor(id: "right"))
        #expect(world.monitorsChosen.isEmpty && world.control.allDrops["control-unknown-monitor"] == 1)
        world.setMonitors(Self.two, selected: "left")
        world.native(70, does: .selectMonitor(id: "middle"))
        #expect(world.monitorsChosen.isEmpty && world.control.allDrops["control-unknown-monitor"] == 2)
        #expect(browser.control == .free, "what came to nothing is no driving")

        world.native(70, does: .selectMonitor(id: "right"))
        #expect(world.monitorsChosen == ["right"])
        #expect(browser.control == .taken(by: browser.viewers[1].viewer))
        world.pass(.seconds(11))
        browser.does(.click(.left, count: 1, at: nil))
        world.native(70, does: .selectMonitor(id: "left"))
        #expect(world.monitorsChosen == ["right"] && world.control.allDrops["control-not-driving"] == 1)
        world.pass(.seconds(11))
        // The viewer's own engine rejects it already; the host rejects it as well.
        world.native(71, does: .selectMonitor(id: "left"))
        world.tellControl(.permit(SSRC(70), false))
        world.native(70, does: .selectMonitor(id: "left"))
        #expect(world.monitorsChosen == ["right"] && world.control.allDrops["control-not-permitted"] == 1)
        #expect(browser.control == .free)
    }

    @Test("viewers of both kinds hear the host's rate, and moves keep to it", arguments: [UInt16(30), 60])
    func rate(_ perSecond: UInt16) throws {
        let world = WebWorld(inputRate: perSecond)
        let browser = world.watch()
        #expect(browser.told.contains(.inputRate(Int(perSecond))))
        try world.addNative(70)
        // Starting with the first acknowledgement.
        world.native(70, does: .pointerMove(x: 0, y: 0))
        world.pass(.seconds(1))
        _ = world.takeInjected()
        for step in 0..<1000 {
            world.native(70, does: .pointerMove(x: Float(step) / 1000, y: 0.5))
            world.pass(.milliseconds(2))
        }
        let moves = world.takeInjected().count
        #expect((2 * Int(perSecond) - 2...2 * Int(perSecond) + 2).contains(moves), "\(moves) in two seconds")
        world.pass(.seconds(1))
        #expect(world.takeInjected().last ?? .movePointer(x: 999, y: 250) == .movePointer(x: 999, y: 250))
        #expect(world.control.allDrops["input-move-flood"] == nil)
    }

    @Test("a host that says nothing of a rate tells browsers none")
    func noRate() throws {
        let browser = WebWorld().watch()
        #expect(!browser.told.contains { if case .inputRate = $0 { true } else { false } })
    }
}
