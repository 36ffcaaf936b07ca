import HelioAppleMedia
import HelioCore
import Testing

@Suite("Input of a window")
struct WindowInputStateTests {
    private static let layout = ViewLayout(
        picture: PixelSize(width: 100, height: 50), view: PixelSize(width: 100, height: 50), mode: .fit)

    private static func key(_ usage: UInt16, _ modifiers: UInt8, _ isDown: Bool) -> WindowEvent {
        .input(.key(usage: usage, modifiers: modifiers, isDown: isDown))
    }

    @Test("y is turned once, where the view counts it from below (defect 9)", arguments: [1.0, 2.0])
    func flip(scale: Double) {
        let below = ViewShape(height: 50, isFlipped: false, scale: scale)
        let above = ViewShape(height: 50, isFlipped: true, scale: scale)
        for row in 0..<50 {
            let middle = Double(row) + 0.25
            #expect(above.pixel(ViewPoint(x: 3, y: middle))?.y == Int(middle * scale))
            #expect(below.pixel(ViewPoint(x: 3, y: 50 - middle))?.y == Int(middle * scale))
        }
        #expect(below.pixel(ViewPoint(x: 0, y: 50))?.y == -1 || below.pixel(ViewPoint(x: 0, y: 50))?.y == 0)
        #expect(below.pixel(ViewPoint(x: .nan, y: 0)) == nil)
        #expect(above.pixel(ViewPoint(x: .infinity, y: 0)) == nil)
        #expect(above.pixel(ViewPoint(x: 1e300, y: 0))?.x == 1_000_000)
    }

    @Test("keys go by their place, once for each press")
    func keys() {
        var input = WindowInputState()
        #expect(input.key(code: 0x00, isDown: true) == [Self.key(0x04, 0, true)])
        #expect(input.key(code: 0x00, isDown: true, isRepeat: true) == [])
        #expect(input.key(code: 0x00, isDown: false) == [Self.key(0x04, 0, false)])
        #expect(input.key(code: 0x35, isDown: true) == [Self.key(0x29, 0, true)])
        #expect(input.key(code: 0x3F, isDown: true) == [], "Fn is no key of a keyboard's page")
        #expect(input.key(code: 0xFFFF, isDown: true) == [])
    }

    @Test(
        "keys with Command are the host's before the menu's, but full screen, and none while the viewer only watches",
        arguments: [
            (0x0C, 1 << 20, true), (0x2B, 1 << 20 | 1 << 17, true), (0x03, 1 << 20, true),
            (0x03, 1 << 20 | 1 << 18, false),
            (0x0C, 0, false), (0x0C, 1 << 18, false),
        ] as [(UInt16, UInt64, Bool)])
    func equivalents(code: UInt16, flags: UInt64, isTaken: Bool) {
        var input = WindowInputState()
        #expect(input.takesEquivalent(code: code, flags: .init(rawValue: flags)) == isTaken)
        input.setControls(false)
        #expect(!input.takesEquivalent(code: code, flags: .init(rawValue: flags)))
    }

    @Test("modifiers go down and up by flagsChanged, left and right apart")
    func modifiers() {
        var input = WindowInputState()
        let shifts: UInt64 = 1 << 17
        #expect(
            input.modifiersChanged(code: 0x38, flags: .init(rawValue: shifts | 0x2)) == [Self.key(0xE1, 0x02, true)])
        #expect(
            input.modifiersChanged(code: 0x3C, flags: .init(rawValue: shifts | 0x6)) == [Self.key(0xE5, 0x22, true)])
        #expect(
            input.modifiersChanged(code: 0x38, flags: .init(rawValue: shifts | 0x4)) == [Self.key(0xE1, 0x20, false)])
        #expect(input.modifiersChanged(code: 0x3C, flags: .init(rawValue: 0)) == [Self.key(0xE5, 0, false)])
        // Injected events don't distinguish left and right modifiers.
        #expect(input.modifiersChanged(code: 0x3B, flags: .init(rawValue: 1 << 18)) == [Self.key(0xE0, 0x01, true)])
        // A missed key release is made up for at the next change.
        #expect(
            input.modifiersChanged(code: 0x38, flags: .init(rawValue: shifts | 0x2))
                == [Self.key(0xE0, 0, false), Self.key(0xE1, 0x02, true)])
        #expect(
            input.modifiersChanged(code: 0x39, flags: .init(rawValue: 1 << 16))
                == [Self.key(0x39, 0x02, true), Self.key(0x39, 0x02, false)])
    }

    @Test("keys that went down under Command are released with it")
    func command() {
        var input = WindowInputState()
        _ = input.modifiersChanged(code: 0x37, flags: .init(rawValue: 1 << 20 | 0x8))
        _ = input.key(code: 0x08, isDown: true)
        #expect(
            input.modifiersChanged(code: 0x37, flags: .init(rawValue: 0))
                == [Self.key(0x06, 0x08, false), Self.key(0xE3, 0, false)])
        #expect(input.key(code: 0x08, isDown: false) == [])
    }

    @Test("all that is down is released when the window loses the keyboard")
    func focus() {
        var input = WindowInputState()
        _ = input.key(code: 0x00, isDown: true)
        _ = input.button(1, isDown: true, at: (10, 10), pressure: 1, in: Self.layout)
        _ = input.touch(
            .down, id: 4, samples: [TouchSample(point: ViewPoint(x: 50, y: 25), force: 0, mostForce: 0)],
            of: ViewShape(height: 50, isFlipped: true, scale: 1), in: Self.layout)
        let events = input.focusLost()
        #expect(events.count == 4 && events.last == .input(.focusLost))
        #expect(events[0] == Self.key(0x04, 0, false))
        #expect(events[1] == .input(.button(.right, isDown: false)))
        guard case .input(.touch(.cancelled, _, _, _)) = events[2] else {
            Issue.record("the touch is cancelled")
            return
        }
        #expect(input.focusLost() == [.input(.focusLost)])
    }

    @Test("buttons begin on the picture, and drags may leave it")
    func buttons() {
        let layout = ViewLayout(
            picture: PixelSize(width: 100, height: 50), view: PixelSize(width: 200, height: 50), mode: .actual)
        var input = WindowInputState()
        #expect(input.button(0, isDown: true, at: (10, 10), pressure: 1, in: layout) == [])
        #expect(
            input.button(0, isDown: true, at: (50, 0), pressure: 1, in: layout)
                == [.input(.pointerMoved(x: 0.005, y: 0.01)), .input(.button(.left, isDown: true))])
        #expect(
            input.dragged(0, to: (400, 25), pressure: 1, in: layout) == [.input(.pointerMoved(x: 0.995, y: 0.51))])
        #expect(
            input.button(0, isDown: false, at: (400, 25), pressure: 0, in: layout)
                == [.input(.button(.left, isDown: false))])
        #expect(input.button(9, isDown: true, at: (60, 10), pressure: 1, in: layout) == [])
    }

    @Test("a drag with the pen has its pressure (row 66)")
    func pressure() {
        var input = WindowInputState()
        input.drawsWithPressure = true
        #expect(
            input.button(0, isDown: true, at: (50, 25), pressure: 0.25, in: Self.layout)
                == [.input(.touch(.down, x: 0.505, y: 0.51, pressure: 0.25))])
        #expect(
            input.dragged(0, to: (60, 25), pressure: 7, in: Self.layout)
                == [.input(.touch(.move, x: 0.605, y: 0.51, pressure: 1))])
        #expect(
            input.button(0, isDown: false, at: (60, 25), pressure: 0, in: Self.layout)
                == [.input(.touch(.up, x: 0.605, y: 0.51, pressure: 0))])
    }

    @Test("what a pen begins is a line to its end, and what a mouse begins is none")
    func pen() {
        var input = WindowInputState()
        #expect(
            input.button(0, isDown: true, at: (50, 25), pressure: 0.5, isPen: true, in: Self.layout)
                == [.input(.touch(.down, x: 0.505, y: 0.51, pressure: 0.5))])
        #expect(
            input.dragged(0, to: (60, 25), pressure: 1, in: Self.layout)
                == [.input(.touch(.move, x: 0.605, y: 0.51, pressure: 1))])
        #expect(
            input.button(0, isDown: false, at: (60, 25), pressure: 0, in: Self.layout)
                == [.input(.touch(.up, x: 0.605, y: 0.51, pressure: 0))])
        let events = input.button(0, isDown: true, at: (50, 25), pressure: 1, in: Self.layout)
        #expect(events.last == .input(.button(.left, isDown: true)))
        #expect(
            input.button(0, isDown: false, at: (50, 25), pressure: 0, isPen: true, in: Self.layout)
                == [.input(.button(.left, isDown: false))])
    }

    @Test("a Pencil takes over from the hand that lies on the screen, and no finger from it")
    func palm() {
        let shape = ViewShape(height: 50, isFlipped: true, scale: 1)
        var input = WindowInputState()
        func touch(_ phase: WindowTouchPhase, _ id: Int, _ x: Double, isPen: Bool) -> [WindowEvent] {
            let sample = TouchSample(point: ViewPoint(x: x, y: 25), force: 1, mostForce: 1)
            return input.touch(phase, id: id, samples: [sample], isPen: isPen, of: shape, in: Self.layout)
        }
        #expect(touch(.down, 1, 10, isPen: false) == [.input(.touch(.down, x: 0.105, y: 0.51, pressure: 1))])
        #expect(
            touch(.down, 2, 20, isPen: true) == [
                .input(.touch(.cancelled, x: 0.105, y: 0.51, pressure: 0)),
                .input(.touch(.down, x: 0.205, y: 0.51, pressure: 1)),
            ])
        #expect(touch(.move, 1, 11, isPen: false) == [])
        #expect(touch(.down, 3, 30, isPen: false) == [] && input.ignoredTouches == 1)
        #expect(touch(.down, 4, 30, isPen: true) == [] && input.ignoredTouches == 2)
        #expect(touch(.up, 2, 20, isPen: true).last == .input(.touch(.up, x: 0.205, y: 0.51, pressure: 0)))
    }

    @Test("buttons that come as a mask are pressed and released, each once")
    func mask() {
        var input = WindowInputState()
        #expect(
            input.pointer(at: (50, 25), buttons: 0b1, in: Self.layout)
                == [.input(.pointerMoved(x: 0.505, y: 0.51)), .input(.button(.left, isDown: true))])
        #expect(
            input.pointer(at: (60, 25), buttons: 0b11, in: Self.layout)
                == [.input(.pointerMoved(x: 0.605, y: 0.51)), .input(.button(.right, isDown: true))])
        let events = input.pointer(at: (60, 25), buttons: 0, in: Self.layout)
        #expect(
            events.dropFirst() == [.input(.button(.left, isDown: false)), .input(.button(.right, isDown: false))])
        #expect(input.pointer(at: (60, 25), buttons: 1 << 40, in: Self.layout).count == 1)
    }

    @Test("every sample of a Pencil is told, of one touch at a time")
    func samples() {
        let shape = ViewShape(height: 50, isFlipped: true, scale: 1)
        var input = WindowInputState()
        func sample(_ x: Double, _ force: Double) -> TouchSample {
            TouchSample(point: ViewPoint(x: x, y: 25), force: force, mostForce: 4)
        }
        _ = input.touch(.down, id: 1, samples: [sample(10, 1)], of: shape, in: Self.layout)
        #expect(input.touch(.down, id: 2, samples: [sample(30, 1)], of: shape, in: Self.layout) == [])
        #expect(input.touch(.move, id: 2, samples: [sample(31, 1)], of: shape, in: Self.layout) == [])
        let moves = input.touch(
            .move, id: 1, samples: [sample(11, 1), sample(12, 2), sample(13, 4)], of: shape, in: Self.layout)
        #expect(
            moves == [
                .input(.touch(.move, x: 0.115, y: 0.51, pressure: 0.25)),
                .input(.touch(.move, x: 0.125, y: 0.51, pressure: 0.5)),
                .input(.touch(.move, x: 0.135, y: 0.51, pressure: 1)),
            ])
        #expect(
            input.touch(.up, id: 1, samples: [sample(14, 0)], of: shape, in: Self.layout)
                == [.input(.touch(.up, x: 0.145, y: 0.51, pressure: 0))])
        #expect(input.ignoredTouches == 1)
    }

    @Test("lines and points of scrolling are the same counts, and nothing of a point is lost")
    func scrolling() {
        var input = WindowInputState()
        _ = input.pointerMoved(to: (50, 25), in: Self.layout)
        #expect(
            input.scrolled(dx: -1, dy: 2, isPrecise: false, in: Self.layout) == [.input(.scrolled(dx: 120, dy: 240))])
        var total = 0
        for _ in 0..<100 {
            for case .input(.scrolled(_, let dy)) in input.scrolled(dx: 0, dy: 0.1, isPrecise: true, in: Self.layout) {
                total += dy
            }
        }
        #expect((119...120).contains(total))
        #expect(input.scrolled(dx: .nan, dy: 1, isPrecise: true, in: Self.layout) == [])
    }

    @Test("a locked pointer tells movements, and none without control")
    func locked() {
        var input = WindowInputState()
        let canLock = input.setPointerLocked(true)
        #expect(canLock)
        #expect(input.pointerMoved(byX: 10, y: -5) == [.input(.pointerMovedBy(dx: 10, dy: -5))])
        #expect(input.pointerMoved(to: (1, 1), in: Self.layout) == [])
        input.setControls(false)
        #expect(!input.isPointerLocked)
        let isLocked = input.setPointerLocked(true)
        #expect(!isLocked)
        #expect(input.key(code: 0, isDown: true) == [])
    }

    @Test("text mode sends what is typed, repeats too, and no private characters")
    func text() {
        var input = WindowInputState(isTextMode: true)
        #expect(input.key(code: 0x00, isDown: true, characters: "é") == [.input(.text("é"))])
        #expect(input.key(code: 0x00, isDown: true, isRepeat: true, characters: "é") == [.input(.text("é"))])
        #expect(input.key(code: 0x7B, isDown: true, characters: "\u{F702}") == [Self.key(0x50, 0, true)])
    }

    @Test("events that nobody takes are bounded, and leave nothing pressed")
    func bounded() {
        var queue = WindowEventQueue()
        for number in 0..<5000 { queue.append(.input(.pointerMoved(x: Double(number) / 5000, y: 0))) }
        let moves = queue.takeAll()
        #expect(moves.count == 1)
        for number in 0..<5000 { queue.append(Self.key(4, 0, number % 2 == 0)) }
        let events = queue.takeAll()
        #expect(events.count <= WindowEventQueue.limit && events.first == .input(.focusLost) && queue.dropped > 0)
    }
}
