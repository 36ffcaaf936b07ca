import HelioControlWire
import HelioCore
import HelioHost
import HelioRemote
import HelioRemoteWire
import HelioSession
import Testing

@Suite("A browser drives")
struct WebControlTests {
    private static func key(_ usage: UInt16, _ modifiers: RemoteModifiers = []) -> KeyStroke {
        KeyStroke(usage: usage, modifiers: modifiers)
    }

    private static func point(_ x: Float, _ y: Float) -> NormalizedPoint { NormalizedPoint(x: x, y: y) ?? .center }

    private static func errors(_ browser: Browser) -> [String?] {
        browser.told.compactMap { if case .error(let report) = $0 { .some(report.about) } else { nil } }
    }

    @Test("it is greeted with all that there is to know, each message by its channel")
    func greeting() throws {
        let world = WebWorld()
        let shape = CursorShape(
            size: PixelSize(width: 2, height: 1), hotspotX: 1, hotspotY: 0, rgba: [1, 2, 3, 4, 5, 6, 7, 8])
        let monitor = MonitorEntry(id: "DP-1", name: "Left", size: PixelSize(width: 1000, height: 500), isPrimary: true)
        world.tell(.cursorShape(shape))
        world.setMonitors([monitor], selected: "DP-1")
        let browser = world.watch()
        let number = browser.number
        #expect(
            browser.told == [
                .screenInfo(PixelSize(width: 1000, height: 500), scale: 1),
                .takes(["inputs", "videoEnabled", "quality", "keepsCursors", "ownPicture"]),
                .monitors([monitor], selected: "DP-1"), .cursorShape(shape),
                .viewers([ViewerEntry(viewer: number, name: "Firefox on Linux", drives: false, isYou: true)]),
                .control(.free), .ticket(try #require(browser.ticket)),
            ])
        _ = browser.takeTold()
        world.tell(.cursorMoved(x: 7, y: 8))
        world.setScreen(PixelSize(width: 600, height: 400))
        world.setMonitors([], selected: nil)
        let other = CursorShape(size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [1, 2, 3, 4])
        world.tell(.cursorShape(other))
        #expect(
            browser.told == [
                .cursorPos(x: 7, y: 8), .screenInfo(PixelSize(width: 600, height: 400), scale: 1),
                .monitors([], selected: nil), .cursorShape(other),
            ])
        #expect(browser.channels.suffix(4) == [.moves, .control, .control, .control])
        browser.does(.mouseTo(Self.point(0.5, 0.5), order: 1))
        #expect(world.takeInjected() == [.movePointer(x: 300, y: 200)])
    }

    @Test("another monitor brings its size and scale, and input is done there from then on")
    func otherMonitor() throws {
        let world = WebWorld()
        let browser = world.watch()
        _ = browser.takeTold()
        let monitor = ScreenMonitor(
            id: "DP-2", name: "DP-2", rect: PixelRect(x: 1000, y: 0, width: 800, height: 401), isPrimary: false,
            scale: 1.5)
        world.setScreen(PixelSize(width: 800, height: 400), on: monitor)
        browser.does(.mouseTo(Self.point(0.5, 0.5), order: 1))
        #expect(browser.told.contains(.screenInfo(PixelSize(width: 800, height: 400), scale: 1.5)))
        #expect(world.takeInjected() == [.monitor(monitor), .movePointer(x: 400, y: 200)])
    }

    @Test("a large pointer is made as small as the message takes")
    func largePointer() throws {
        let world = WebWorld()
        let browser = world.watch()
        let size = PixelSize(width: 256, height: 128)
        world.tell(
            .cursorShape(
                CursorShape(size: size, hotspotX: 255, hotspotY: 127, rgba: Array(repeating: 9, count: size.area * 4))))
        guard case .cursorShape(let shape, number: nil)? = browser.told.last else {
            Issue.record("no shape")
            return
        }
        #expect(shape.size == PixelSize(width: 96, height: 48) && shape.hotspotX == 95 && shape.hotspotY == 47)
        // An empty shape hides the pointer; a shape with too few pixels for its size is ignored.
        world.tell(.cursorShape(CursorShape(size: PixelSize(width: 0, height: 0), hotspotX: 0, hotspotY: 0, rgba: [])))
        let nothing = CursorShape(size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [0, 0, 0, 0])
        #expect(browser.told.last == .cursorShape(nothing))
        world.tell(.cursorShape(CursorShape(size: size, hotspotX: 0, hotspotY: 0, rgba: [1])))
        #expect(browser.told.last == .cursorShape(nothing))
    }

    @Test("a page that keeps shapes is sent each once, and its number after that")
    func namedShapes() {
        let world = WebWorld()
        let browser = world.watch()
        func shape(_ value: UInt8) -> CursorShape {
            CursorShape(size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [value, 0, 0, 255])
        }
        world.tell(.cursorShape(shape(1)))
        #expect(browser.told.last == .cursorShape(shape(1)))
        browser.does(.keepsCursors)
        _ = browser.takeTold()
        for value: UInt8 in [2, 1, 2, 2, 1] { world.tell(.cursorShape(shape(value))) }
        #expect(
            browser.takeTold() == [
                .cursorShape(shape(2), number: 0), .cursorShape(shape(1), number: 1), .cursorAgain(number: 0),
                .cursorAgain(number: 1),
            ])
    }

    @Test("more shapes than the rate allows wait, and of those that wait only the newest is sent, in time")
    func manyShapes() {
        let world = WebWorld()
        let browser = world.watch()
        let side = 96
        func shape(_ value: UInt8) -> CursorShape {
            CursorShape(
                size: PixelSize(width: side, height: side), hotspotX: 0, hotspotY: 0,
                rgba: Array(repeating: value, count: side * side * 4))
        }
        func sent() -> [CursorShape] {
            browser.takeTold().compactMap { if case .cursorShape(let shape, _) = $0 { shape } else { nil } }
        }
        _ = browser.takeTold()
        for value: UInt8 in 0..<40 { world.tell(.cursorShape(shape(value))) }
        // A burst of 1 MiB, 36 KiB each.
        #expect(sent() == (0..<29).map(shape))
        #expect(world.drops["web-control-pointer-shapes"] == 10)
        let latecomer = world.watch(address: "10.0.0.8")
        #expect(latecomer.told.contains(.cursorShape(shape(39))))
        world.pass(.seconds(2))
        #expect(sent() == [shape(39)])
        browser.peer(.peerLost)
        #expect(world.drops["web-control-pointer-shapes"] == 10)
    }

    @Test("every kind of input arrives, in its order")
    func input() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(.mouseMove(PointerStep(dx: 10, dy: -5)))
        browser.does(.mouseTo(Self.point(0.25, 0.5), order: 1))
        browser.does(.mouseDown(.left, at: PressPlace(Self.point(1, 1), order: 2)))
        browser.does(.mouseUp(.left, at: nil))
        browser.does(.click(.right, count: 1, at: nil))
        browser.does(.click(.left, count: 2, at: PressPlace(Self.point(0, 0))))
        browser.does(.scroll(dx: 0, dy: -120))
        browser.does(.keyDown(Self.key(4)))
        browser.does(.keyUp(Self.key(4)))
        browser.does(.keyPress(Self.key(USBKeyboard.escape, [.command, .shift])))
        browser.does(.text("aé🙂"))
        #expect(
            world.takeInjected() == [
                .movePointerBy(dx: 10, dy: -5), .movePointer(x: 250, y: 250), .movePointer(x: 999, y: 499),
                .button(.left, isDown: true), .button(.left, isDown: false), .button(.right, isDown: true),
                .button(.right, isDown: false), .movePointer(x: 0, y: 0), .button(.left, isDown: true),
                .button(.left, isDown: false), .button(.left, isDown: true), .button(.left, isDown: false),
                .scroll(dx: 0, dy: -120), .key(usage: 4, isDown: true), .key(usage: 4, isDown: false),
                .key(usage: USBKeyboard.leftShift, isDown: true), .key(usage: USBKeyboard.leftGUI, isDown: true),
                .key(usage: USBKeyboard.escape, isDown: true), .key(usage: USBKeyboard.escape, isDown: false),
                .key(usage: USBKeyboard.leftGUI, isDown: false), .key(usage: USBKeyboard.leftShift, isDown: false),
                .text("aé🙂"),
            ])
        #expect(browser.control == .yours)
    }

    @Test("what is asked for is answered; what only sets something is not")
    func answers() {
        let world = WebWorld()
        let browser = world.watch()
        _ = browser.takeTold()
        browser.does(.ping(id: 77))
        browser.does(.audioEnabled(true))
        browser.does(.audioVolume(0.8))
        browser.does(.audioOffer(sdp: "junk", inStep: false))
        browser.does(.alive)
        #expect(
            browser.takeTold() == [
                .pong(id: 77), .error(RemoteErrorReport(message: "no session description", about: "audioOffer")),
            ])
        #expect(browser.channels.allSatisfy { $0 == .control } && world.takeInjected().isEmpty)
        // None of these messages takes control.
        #expect(browser.control == nil)
    }

    @Test("junk is counted and answered, and what follows is taken")
    func junk() {
        let world = WebWorld()
        let browser = world.watch()
        _ = browser.takeTold()
        let junk: [(String, String?, String)] = [
            ("{", nil, "not-json"), ("[1]", nil, "untyped"), (#"{"type":"shutdown"}"#, "shutdown", "unknown-type"),
            (#"{"type":"mouseDown","button":"sixth"}"#, "mouseDown", "malformed"),
            (#"{"type":"pong","id":1}"#, "pong", "unknown-type"), ("", nil, "not-json"),
        ]
        for (text, about, name) in junk {
            let before = world.drops["web-control-\(name)", default: 0]
            browser.peer(.peerMessage(Array(text.utf8), .control))
            #expect(Self.errors(browser).last == about, "\(text)")
            #expect(world.drops["web-control-\(name)"] == before + 1, "\(text)")
        }
        #expect(Self.errors(browser).count == junk.count)
        browser.does(.click(.left, count: 1, at: nil))
        #expect(world.takeInjected().count == 2)
    }

    @Test("by the channel that loses, only motion is taken")
    func wrongChannel() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(.keyDown(Self.key(4)), by: .moves)
        browser.does(.mouseMove(PointerStep(dx: 1, dy: 1)), by: .control)
        #expect(world.takeInjected() == [.movePointerBy(dx: 1, dy: 1)])
        #expect(Self.errors(browser) == ["keyDown"])
        #expect(world.drops["web-control-wrong-channel"] == 1)
    }

    @Test("a flood is dropped and counted in silence where it arrives, and over when it is over")
    func flood() {
        let world = WebWorld()
        let browser = world.watch()
        _ = browser.takeTold()
        let before = world.controlInputs
        for _ in 0..<5000 { browser.does(.ping(id: 1)) }
        #expect(browser.takeTold().count == 2000)
        #expect(world.controlInputs - before == 2000)
        #expect(world.drops["web-control-flood"] == 3000)
        world.pass(.milliseconds(500))
        for _ in 0..<600 { browser.does(.ping(id: 1)) }
        #expect(browser.takeTold().count == 500)
        world.pass(.seconds(60))
        browser.does(.ping(id: 2))
        #expect(browser.told == [.pong(id: 2)])
    }

    @Test("what is down goes up when the viewer says so, falls silent, leaves, or may no longer")
    func released() {
        let ends: [(String, (WebWorld, Browser) -> Void)] = [
            ("says so", { _, browser in browser.does(.releaseAll) }),
            ("silent", { world, _ in world.pass(.milliseconds(2001)) }),
            ("leaves", { _, browser in browser.peer(.peerLost) }),
            ("may no longer", { world, _ in world.tell(.permitControl(false, viewer: nil)) }),
            ("the host ends", { world, _ in world.stop() }),
        ]
        for (name, end) in ends {
            let world = WebWorld()
            let browser = world.watch()
            browser.does(.keyDown(Self.key(USBKeyboard.leftShift)))
            browser.does(.mouseDown(.left, at: nil))
            browser.does(.keyDown(Self.key(4, [.control])))
            _ = world.takeInjected()
            world.pass(.milliseconds(1900))
            #expect(world.takeInjected() == [.stopRepeating], "\(name)")
            end(world, browser)
            #expect(
                Set(world.takeInjected()) == [
                    .key(usage: 4, isDown: false), .key(usage: USBKeyboard.leftControl, isDown: false),
                    .key(usage: USBKeyboard.leftShift, isDown: false), .button(.left, isDown: false),
                ], "\(name)")
            world.pass(.seconds(10))
            #expect(world.takeInjected().isEmpty, "\(name)")
        }
    }

    @Test("a word a second keeps down what is down")
    func alive() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(.mouseDown(.left, at: nil))
        _ = world.takeInjected()
        for _ in 0..<30 {
            world.pass(.seconds(1))
            browser.does(.alive)
        }
        #expect(world.takeInjected().isEmpty)
        // The viewer has control all the while.
        #expect(browser.control == .yours)
        browser.does(.mouseUp(.left, at: nil))
        #expect(world.takeInjected() == [.button(.left, isDown: false)])
    }

    @Test("who drives chooses the monitor; nobody chooses one that is not there")
    func monitors() {
        let world = WebWorld()
        let size = PixelSize(width: 1, height: 1)
        let list = ["A", "B"].map { MonitorEntry(id: $0, name: $0, size: size, isPrimary: $0 == "A") }
        let first = world.watch()
        let second = world.watch(address: "10.0.0.8")
        first.does(.selectMonitor(id: "A"))
        #expect(world.monitorsChosen.isEmpty && Self.errors(first) == ["selectMonitor"])
        world.setMonitors(list, selected: "A")
        first.does(.selectMonitor(id: "B"))
        #expect(world.monitorsChosen == ["B"] && first.control == .yours)
        second.does(.selectMonitor(id: "A"))
        #expect(world.monitorsChosen == ["B"] && Self.errors(second) == ["selectMonitor"])
        first.does(.selectMonitor(id: "C"))
        #expect(world.monitorsChosen == ["B"])
    }

    @Test("the host's person stands above: takes control from one or all, and gives it back")
    func permission() {
        let world = WebWorld()
        let browser = world.watch()
        let other = world.watch(address: "10.0.0.8")
        world.tell(.permitControl(false, viewer: browser.address))
        #expect(browser.control == .forbidden && other.control == .free)
        browser.does(.click(.left, count: 1, at: nil))
        browser.does(.requestControl)
        #expect(world.takeInjected().isEmpty && browser.control == .forbidden)
        #expect(world.drops["web-control-not-permitted"] == 2)
        #expect(Self.errors(browser) == ["requestControl"])
        other.does(.click(.left, count: 1, at: nil))
        #expect(other.control == .yours && browser.control == .forbidden)
        world.tell(.permitControl(false, viewer: nil))
        #expect(other.control == .forbidden)
        world.tell(.permitControl(true, viewer: nil))
        #expect(other.control == .free && browser.control == .free)

        let strict = WebWorld(allowsControl: false)
        let guest = strict.watch()
        #expect(guest.admitted?.control == false && guest.control == .forbidden)
        strict.tell(.permitControl(true, viewer: nil))
        guest.does(.click(.left, count: 1, at: nil))
        #expect(strict.takeInjected().isEmpty)
    }
}
