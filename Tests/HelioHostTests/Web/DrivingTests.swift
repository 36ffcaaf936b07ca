import HelioControlWire
import HelioCore
import HelioHost
import HelioRemote
import HelioRemoteWire
import HelioSession
import Testing

@Suite("One viewer at a time drives, whatever kind it is")
struct DrivingTests {
    private static let down = ViewerMessage.keyDown(KeyStroke(usage: 4))
    private static let up = ViewerMessage.keyUp(KeyStroke(usage: 4))

    private static func requests(_ browser: Browser) -> [String] {
        browser.told.compactMap { if case .controlRequested(_, let name) = $0 { name } else { nil } }
    }

    private static func errors(_ browser: Browser) -> [String] {
        browser.told.compactMap { if case .error(let report) = $0 { report.about } else { nil } }
    }

    @Test("who acts first has it, and all are told; what others do is dropped, counted and never down")
    func first() throws {
        let world = WebWorld()
        let a = world.watch()
        let b = world.watch(address: "10.0.0.8")
        a.does(Self.down)
        b.does(.keyDown(KeyStroke(usage: 5)))
        b.does(.keyUp(KeyStroke(usage: 5)))
        b.does(.mouseMove(PointerStep(dx: 5, dy: 5)))
        #expect(world.takeInjected() == [.key(usage: 4, isDown: true)])
        #expect(a.control == .yours && b.control == .taken(by: a.number))
        #expect(b.viewers.first { $0.viewer == a.number }?.drives == true)
        #expect(b.viewers.first { $0.viewer == b.number }?.drives == false)
        #expect(world.control.allDrops["web-control-not-driving"] == 2)
        a.does(Self.up)
        _ = world.takeInjected()
        // A key pressed without control is not released when its viewer gets control.
        b.does(.keyDown(KeyStroke(usage: 6)))
        world.pass(.milliseconds(10_001))
        #expect(a.control == .free && b.control == .free)
        b.does(.keyUp(KeyStroke(usage: 6)))
        #expect(world.takeInjected().isEmpty && b.control == .free)
        b.does(.click(.left, count: 1, at: nil))
        #expect(world.takeInjected().count == 2 && b.control == .yours)
    }

    @Test("leaving frees it, and lets go of what was down")
    func leaving() {
        let world = WebWorld()
        let a = world.watch()
        let b = world.watch(address: "10.0.0.8")
        a.does(Self.down)
        _ = world.takeInjected()
        a.peer(.peerLost)
        #expect(world.takeInjected() == [.key(usage: 4, isDown: false)])
        #expect(b.control == .free && b.viewers.count == 1)
    }

    @Test("asking: at once where nobody drives, else who drives is asked, not more than every two seconds")
    func asking() throws {
        let world = WebWorld()
        let a = world.watch()
        let b = world.watch(address: "10.0.0.8")
        b.does(.requestControl)
        #expect(b.control == .yours)
        b.does(.click(.left, count: 1, at: nil))
        world.pass(.seconds(5))
        for _ in 0..<5 { a.does(.requestControl) }
        #expect(Self.requests(b) == ["Firefox on Linux"] && a.control == .taken(by: b.number))
        world.pass(.seconds(2))
        a.does(.requestControl)
        #expect(Self.requests(b).count == 2)
        #expect(b.told.contains(.controlRequested(a.number, name: "Firefox on Linux")))
        b.does(.handOver(to: a.number))
        #expect(a.control == .yours && b.control == .taken(by: a.number))
        b.does(.click(.left, count: 1, at: nil))
        #expect(world.takeInjected().count == 2)
        // A driver that was idle for ten seconds is not asked.
        world.pass(.seconds(11))
        b.does(.requestControl)
        #expect(b.control == .yours && Self.requests(a).isEmpty)
    }

    @Test("handing over lets go of what is down; to nobody, to somebody who may only watch, by somebody else")
    func handingOver() throws {
        let world = WebWorld()
        let a = world.watch()
        let b = world.watch(address: "10.0.0.8")
        let guest = world.watch(address: "10.0.0.9")
        world.tell(.permitControl(false, viewer: "10.0.0.9"))
        a.does(Self.down)
        _ = world.takeInjected()
        b.does(.handOver(to: b.number))
        #expect(Self.errors(b) == ["handOver"] && a.control == .yours)
        a.does(.handOver(to: guest.number))
        a.does(.handOver(to: ViewerNumber(999)))
        #expect(Self.errors(a) == ["handOver", "handOver"] && a.control == .yours && world.takeInjected().isEmpty)
        a.does(.handOver(to: nil))
        #expect(world.takeInjected() == [.key(usage: 4, isDown: false)])
        #expect(a.control == .free && b.control == .free && guest.control == .forbidden)
        // Continued pointer motion does not take control back.
        a.does(.mouseMove(PointerStep(dx: 1, dy: 1)))
        #expect(world.takeInjected().isEmpty && a.control == .free)
        b.does(.mouseMove(PointerStep(dx: 1, dy: 1)))
        #expect(world.takeInjected() == [.movePointerBy(dx: 1, dy: 1)] && b.control == .yours)
    }

    @Test("a viewer of our own kind takes its turn too, and is one of the list")
    func native() throws {
        let world = WebWorld()
        let browser = world.watch()
        try world.addNative(70, name: "laptop")
        try world.addNative(71)
        #expect(browser.viewers.map(\.name) == ["Firefox on Linux", "laptop", "viewer 3"])
        world.native(70, does: .key(usage: 9, modifiers: [], isDown: true))
        #expect(world.takeInjected() == [.key(usage: 9, isDown: true)])
        #expect(browser.control == .taken(by: browser.viewers[1].viewer))
        browser.does(.click(.left, count: 1, at: nil))
        world.native(71, does: .key(usage: 10, modifiers: [], isDown: true))
        #expect(world.takeInjected().isEmpty)
        #expect(
            world.control.allDrops["control-not-driving"] == 1
                && world.control.allDrops["web-control-not-driving"] == 2)
        // It holds a key: it drives as long as it does.
        world.pass(.seconds(30))
        #expect(browser.control == .taken(by: browser.viewers[1].viewer) && world.takeInjected().isEmpty)
        world.native(70, does: .key(usage: 9, modifiers: [], isDown: false))
        world.native(71, does: .key(usage: 10, modifiers: [], isDown: false))
        #expect(world.takeInjected() == [.key(usage: 9, isDown: false)])
        world.pass(.milliseconds(10_100))
        #expect(browser.control == .free)
        browser.does(.click(.left, count: 1, at: nil))
        #expect(browser.control == .yours)
        _ = world.takeInjected()
        // A browser hands control to a native viewer.
        browser.does(.handOver(to: browser.viewers[2].viewer))
        world.native(70, does: .key(usage: 9, modifiers: [], isDown: true))
        world.native(71, does: .text("x"))
        #expect(world.takeInjected() == [.text("x")])
        world.tellControl(.close(SSRC(71)))
        #expect(browser.control == .free && browser.viewers.count == 2)
    }

    @Test("viewers of our own kind are told who drives, once, and when that got lost, with the next ping")
    func nativeIsTold() throws {
        let world = WebWorld()
        let browser = world.watch()
        try world.addNative(70, name: "laptop\u{1B}[31m")
        world.pass(.seconds(2))
        #expect(world.drivers.isEmpty)
        browser.does(.click(.left, count: 1, at: nil))
        world.pass(.seconds(5))
        let other = Driver.other(name: "Firefox on Linux")
        #expect(world.drivers == [PathID(70): [other]])
        browser.does(.handOver(to: browser.viewers[1].viewer))
        world.pass(.seconds(1))
        #expect(world.drivers == [PathID(70): [other, .you]])
        // A viewer that joins later is informed too.
        let laptop = Driver.other(name: "laptop[31m")
        try world.addNative(71)
        world.pass(.seconds(1))
        #expect(world.drivers[PathID(71)] == [laptop])

        world.losesNative = true
        world.tellControl(.permit(SSRC(70), false))
        #expect(browser.control == .free && world.drivers[PathID(70)]?.last == .you)
        world.losesNative = false
        world.pass(.milliseconds(1001))
        #expect(world.drivers == [PathID(70): [other, .you, .nobody], PathID(71): [laptop, .nobody]])
        #expect(world.control.allDrops.isEmpty)
    }

    @Test("a viewer of our own kind asks for control as a browser does")
    func nativeAsks() throws {
        let world = WebWorld()
        let browser = world.watch()
        try world.addNative(70, name: "laptop")
        try world.addNative(71, allowsControl: false)
        let laptop = browser.viewers[1].viewer
        world.native(70, does: .requestControl)
        #expect(browser.control == .taken(by: laptop))
        world.native(70, does: .handOver)
        #expect(browser.control == .free)
        browser.does(.click(.left, count: 1, at: nil))
        for _ in 0..<3 { world.native(70, does: .requestControl) }
        #expect(Self.requests(browser) == ["laptop"] && browser.control == .yours)
        world.pass(.seconds(2))
        world.native(70, does: .requestControl)
        #expect(Self.requests(browser).count == 2)
        browser.does(.handOver(to: laptop))
        #expect(browser.control == .taken(by: laptop))
        // A view-only viewer may not request control, nor hand it over.
        world.pass(.seconds(2))
        world.native(71, does: .requestControl)
        world.native(71, does: .handOver)
        #expect(browser.control == .taken(by: laptop) && world.requests.isEmpty)
    }

    @Test("a host that is told to let somebody drive who may only watch does not", arguments: [true, false])
    func wishesOfWatchers(asks: Bool) throws {
        let world = WebWorld()
        let browser = world.watch()
        try world.addNative(70)
        world.tellControl(.permit(SSRC(70), false))
        // The viewer does not know of it yet.
        world.native(70, does: asks ? .requestControl : .handOver)
        #expect(browser.control == .free)
        #expect(world.control.allDrops["control-not-permitted"] == 1)
    }

    @Test("a viewer of our own kind that drives is asked, and hands over to who asked, or to whoever acts next")
    func nativeIsAsked() throws {
        let world = WebWorld()
        let browser = world.watch()
        try world.addNative(70, name: "laptop")
        try world.addNative(71, name: "phone\u{1B}[2J")
        let (path, phone) = (PathID(70), browser.viewers[2].viewer)
        world.native(70, does: .key(usage: 9, modifiers: [], isDown: true))
        world.pass(.seconds(1))
        browser.does(.requestControl)
        world.pass(.milliseconds(100))
        #expect(world.requests == [path: ["Firefox on Linux"]])
        world.native(70, does: .handOver)
        #expect(world.takeInjected() == [.key(usage: 9, isDown: true), .key(usage: 9, isDown: false)])
        #expect(browser.control == .yours)

        // Another native viewer requests control; the first copies of the notice are lost.
        browser.does(.handOver(to: browser.viewers[1].viewer))
        world.pass(.seconds(1))
        world.losesNative = true
        world.native(71, does: .requestControl)
        world.losesNative = false
        #expect(world.requests[path]?.count == 1)
        world.pass(.milliseconds(1001))
        #expect(world.requests == [path: ["Firefox on Linux", "phone[2J"]])
        #expect(world.drivers[path] == [.you, .other(name: "Firefox on Linux"), .you])
        world.native(70, does: .handOver)
        #expect(browser.control == .taken(by: phone))

        // The requester has left meanwhile: the next viewer that acts gets control.
        world.native(71, does: .text("x"))
        browser.does(.requestControl)
        browser.peer(.peerLost)
        world.native(71, does: .handOver)
        world.native(70, does: .text("y"))
        #expect(world.takeInjected() == [.text("x"), .text("y")])
        // This viewer doesn't have control.
        world.native(71, does: .handOver)
        #expect(world.control.allDrops["control-not-driving"] == 1)
    }

    @Test("a viewer of our own kind that may drive no longer loses its turn and what it holds")
    func nativePermission() throws {
        let world = WebWorld()
        let browser = world.watch()
        try world.addNative(70)
        world.native(70, does: .key(usage: 9, modifiers: [], isDown: true))
        world.tellControl(.permit(SSRC(70), false))
        #expect(world.takeInjected() == [.key(usage: 9, isDown: true), .key(usage: 9, isDown: false)])
        #expect(browser.control == .free)
        world.native(70, does: .key(usage: 10, modifiers: [], isDown: true))
        #expect(world.takeInjected().isEmpty && browser.control == .free)
        #expect(world.control.allDrops["control-not-permitted"] == 1)
    }

    @Test("one viewer alone drives as it did, with pauses of any length")
    func alone() throws {
        let world = WebWorld()
        try world.addNative(70)
        for _ in 0..<5 {
            world.native(70, does: .key(usage: 9, modifiers: [], isDown: true))
            world.pass(.milliseconds(500))
            world.native(70, does: .key(usage: 9, modifiers: [], isDown: false))
            world.pass(.seconds(60))
        }
        #expect(world.takeInjected().count == 10)
        #expect(world.control.allDrops["control-not-driving"] == nil)
    }
}
