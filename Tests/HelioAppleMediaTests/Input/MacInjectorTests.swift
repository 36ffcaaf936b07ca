import HelioAppleMedia
import HelioCore
import Testing

@Suite("Input into macOS")
struct MacInjectorTests {
    enum Posted: Equatable {
        case pointer(MacPointerEvent)
        case key(UInt16, Bool, UInt64)
        case flags(UInt16, UInt64)
        case scroll(Int32, Int32)
        case text([UInt16])
    }

    final class Desktop: PointerEvents {
        var pointer: DesktopPoint? = DesktopPoint(x: 10, y: 10)
        var frames = [DisplayInfo.main.frame, DisplayInfo.left.frame]
        var posted: [Posted] = []
        func displays() -> [FrameRect] { frames }
        func post(_ event: MacPointerEvent) { posted.append(.pointer(event)) }
        func postKey(_ keycode: UInt16, isDown: Bool, flags: UInt64) { posted.append(.key(keycode, isDown, flags)) }
        func postFlags(_ keycode: UInt16, flags: UInt64) { posted.append(.flags(keycode, flags)) }
        /// The repeated key and its flags, or nothing for a stop, in the order of the calls.
        var repeats: [(key: UInt16, flags: UInt64)?] = []
        func repeatKey(_ keycode: UInt16, flags: UInt64) { repeats.append((keycode, flags)) }
        func stopRepeating() { repeats.append(nil) }
        func postScroll(x: Int32, y: Int32, flags: UInt64) { posted.append(.scroll(x, y)) }
        func postText(_ units: [UInt16]) { posted.append(.text(units)) }

        var kinds: [MacPointerEvent.Kind] {
            posted.compactMap { if case .pointer(let event) = $0 { event.kind } else { nil } }
        }
        var clicks: [Int] { posted.compactMap { if case .pointer(let event) = $0 { event.clicks } else { nil } } }
        var lastPlace: DesktopPoint? {
            if case .pointer(let event) = posted.last { event.at } else { nil }
        }
    }

    final class Clock { var now = Instant.zero }

    let desktop = Desktop()
    let clock = Clock()

    private func injector(on display: DisplayInfo = .main) throws -> MacInjector<Desktop> {
        let injector = MacInjector(desktop, clock: { [clock] in clock.now })
        injector.follow(try #require(display.monitor))
        return injector
    }

    @Test("places are points of the desktop, y down as they came, of displays left of and above the main one too")
    func places() throws {
        let main = try injector()
        main.movePointer(toX: 200, y: 100)
        #expect(desktop.lastPlace == DesktopPoint(x: 100, y: 50))
        main.movePointer(toX: 99999, y: -5)
        #expect(desktop.lastPlace == DesktopPoint(x: 639.5, y: 0))
        let left = try injector(on: .left)
        left.movePointer(toX: 1, y: 2)
        #expect(desktop.lastPlace == DesktopPoint(x: -799, y: -98))
    }

    @Test("relative moves add up, cross to a display beside and stop where there is none")
    func relative() throws {
        let injector = try injector()
        injector.movePointer(byX: 20, y: 20)
        injector.movePointer(byX: 2, y: 0)
        #expect(desktop.lastPlace == DesktopPoint(x: 21, y: 20))
        injector.movePointer(byX: -200, y: 0)
        #expect(desktop.lastPlace == DesktopPoint(x: -79, y: 20))
        injector.movePointer(byX: Int.min, y: Int.max)
        #expect(desktop.lastPlace == DesktopPoint(x: -800, y: 499))
        clock.now = .zero + .seconds(1)
        desktop.pointer = DesktopPoint(x: 300, y: 300)
        injector.movePointer(byX: 2, y: 2)
        #expect(desktop.lastPlace == DesktopPoint(x: 301, y: 301))
        desktop.frames = [FrameRect(x: .nan, y: 0, width: 1, height: 1)]
        injector.movePointer(byX: 2, y: 2)
        #expect(desktop.lastPlace == DesktopPoint(x: 302, y: 302))
    }

    @Test("a move with a button held is a drag, of the button that went down first")
    func drags() throws {
        let injector = try injector()
        injector.movePointer(toX: 1, y: 1)
        injector.button(.right, isDown: true)
        injector.button(.left, isDown: true)
        injector.movePointer(toX: 2, y: 2)
        injector.button(.right, isDown: false)
        injector.movePointer(toX: 3, y: 3)
        injector.button(.left, isDown: false)
        injector.button(.left, isDown: false)
        #expect(
            desktop.kinds == [
                .moved, .down(.right), .down(.left), .dragged(.right), .up(.right), .dragged(.left), .up(.left),
            ])
    }

    @Test("clicks soon after and near each other count up")
    func doubleClicks() throws {
        let injector = try injector()
        func click() {
            injector.button(.left, isDown: true)
            injector.button(.left, isDown: false)
        }
        click()
        clock.now = clock.now + .milliseconds(200)
        click()
        clock.now = clock.now + .milliseconds(501)
        click()
        injector.movePointer(toX: 600, y: 600)
        click()
        injector.button(.right, isDown: true)
        #expect(desktop.clicks == [1, 1, 2, 2, 1, 1, 0, 1, 1, 1])
    }

    @Test("a button that goes down twice came up between")
    func lostUp() throws {
        let injector = try injector()
        injector.button(.left, isDown: true)
        injector.button(.left, isDown: true)
        #expect(desktop.kinds == [.down(.left), .up(.left), .down(.left)])
    }

    @Test("keys carry the modifiers that are down, and all is released at the end")
    func keys() throws {
        do {
            let injector = try injector()
            injector.key(usage: 0xE1, isDown: true)
            injector.key(usage: 0x04, isDown: true)
            injector.key(usage: 0x50, isDown: true)
            injector.key(usage: 0x05, isDown: false)
            injector.key(usage: 0x1234, isDown: true)
            injector.button(.left, isDown: true)
            desktop.posted.removeFirst(4)
        }
        let shift: UInt64 = 0x2_0002
        let arrow = shift | MacModifiers.keypadFlag | MacModifiers.functionFlag
        #expect(
            desktop.posted == [
                .pointer(
                    MacPointerEvent(kind: .up(.left), at: DesktopPoint(x: 10, y: 10), clicks: 1, flags: shift)),
                .key(0x00, false, shift), .key(0x7B, false, arrow), .flags(0x38, 0),
            ])
    }

    @Test(
        "the last key that went down repeats, with the modifiers of now, until it comes up or the viewer falls silent")
    func repeats() throws {
        let injector = try injector()
        func expect(_ wanted: [(UInt16, UInt64)?]) {
            #expect(desktop.repeats.map { $0?.key } == wanted.map { $0?.0 })
            #expect(desktop.repeats.map { $0?.flags } == wanted.map { $0?.1 })
            desktop.repeats = []
        }
        injector.key(usage: 0x04, isDown: true)
        injector.key(usage: 0x05, isDown: true)
        injector.key(usage: 0x04, isDown: false)
        expect([(0x00, 0), (0x0B, 0)])
        injector.key(usage: 0xE1, isDown: true)
        expect([(0x0B, 0x2_0002)])
        injector.key(usage: 0x05, isDown: false)
        injector.key(usage: 0xE1, isDown: false)
        expect([nil])
        injector.key(usage: 0x2A, isDown: true)
        injector.stopRepeating()
        injector.stopRepeating()
        injector.key(usage: 0x2A, isDown: false)
        expect([(0x33, 0), nil])
        injector.key(usage: 0x50, isDown: true)
        injector.releaseAll()
        expect([(0x7B, MacModifiers.keypadFlag | MacModifiers.functionFlag), nil])
    }

    @Test("both keys of a modifier are told apart: the flag stays while one of them is down")
    func modifiers() throws {
        let injector = try injector()
        for (usage, isDown) in [(0xE3, true), (0xE7, true), (0xE3, false), (0xE3, false), (0xE7, false)]
            as [(UInt16, Bool)]
        {
            injector.key(usage: usage, isDown: isDown)
        }
        #expect(
            desktop.posted == [
                .flags(0x37, 0x10_0008), .flags(0x36, 0x10_0018), .flags(0x37, 0x10_0010), .flags(0x37, 0x10_0010),
                .flags(0x36, 0),
            ])
    }

    @Test("Caps Lock that the session left on is switched off")
    func capsLock() throws {
        let injector = try injector()
        injector.key(usage: 0x39, isDown: true)
        injector.key(usage: 0x39, isDown: false)
        injector.releaseAll()
        #expect(desktop.posted == [.flags(0x39, 0x1_0000), .flags(0x39, 0x1_0000), .flags(0x39, 0)])
    }

    @Test("Caps Lock is switched where it is not as the viewer's is")
    func locks() throws {
        let injector = try injector()
        injector.setLocks(LockState(caps: false, num: true))
        injector.setLocks(LockState(caps: true))
        injector.setLocks(LockState(caps: true))
        injector.setLocks(LockState())
        #expect(desktop.posted == [.flags(0x39, 0x1_0000), .flags(0x39, 0x1_0000)])
        injector.setLocks(LockState(caps: false))
        #expect(desktop.posted.last == .flags(0x39, 0))
    }

    @Test("parts of a detent add up, a turn forgets them, and right is the other way round on macOS")
    func scrolls() throws {
        let injector = try injector()
        injector.scroll(dx: 120, dy: 120)
        for _ in 0..<4 { injector.scroll(dx: 0, dy: 1) }
        injector.scroll(dx: 0, dy: 3)
        injector.scroll(dx: 0, dy: -4)
        injector.scroll(dx: 0, dy: Int.min)
        #expect(
            desktop.posted == [.scroll(-30, 30), .scroll(0, 1), .scroll(0, -1), .scroll(0, -3000)])
    }

    @Test("text goes as it is, in pieces")
    func text() throws {
        let injector = try injector()
        injector.type("a👍")
        #expect(desktop.posted == [.text(Array("a👍".utf16))])
    }
}
