import HelioControlWire
import HelioCore
import HelioRemote
import HelioRemoteWire
import Testing

@Suite("What a browser does, as input")
struct RemoteReceiverTests {
    /// The picture's first and last pixels.
    private static let (left, right) = (NormalizedPoint(x: 0, y: 0)!, NormalizedPoint(x: 1, y: 1)!)

    private static func receiver() -> RemoteReceiver {
        RemoteReceiver(mapper: CoordinateMapper(size: PixelSize(width: 100, height: 50)))
    }

    private static func step(
        _ dx: Double, _ dy: Double, _ x: UInt32, _ y: UInt32, order: UInt64? = nil
    ) -> ViewerMessage {
        .mouseMove(PointerStep(dx: dx, dy: dy, totals: .init(x: x, y: y, order: order)))
    }

    private static func down(_ usage: UInt16, _ modifiers: RemoteModifiers = []) -> ViewerMessage {
        .keyDown(KeyStroke(usage: usage, modifiers: modifiers))
    }

    private static func up(_ usage: UInt16) -> ViewerMessage { .keyUp(KeyStroke(usage: usage)) }

    // MARK: Pointer

    @Test("steps without totals add up, with what is less than a pixel")
    func fractions() {
        var receiver = Self.receiver()
        let steps = (0..<10).flatMap { _ in receiver.handle(.mouseMove(PointerStep(dx: 0.5, dy: -0.25))) }
        #expect(steps.count == 5)
        let sum = steps.reduce(into: (x: 0, y: 0)) {
            if case .movePointerBy(let dx, let dy) = $1 { $0 = ($0.x + dx, $0.y + dy) }
        }
        #expect(sum == (5, -2))
        #expect(receiver.handle(.mouseMove(PointerStep(dx: 0, dy: 0))).isEmpty)
    }

    @Test("with totals nothing is lost with a message, and what is late is made good")
    func totals() {
        var receiver = Self.receiver()
        #expect(receiver.handle(Self.step(3, 4, 3, 4)) == [.movePointerBy(dx: 3, dy: 4)])
        // Two steps were lost.
        #expect(receiver.handle(Self.step(1, 1, 13, 2)) == [.movePointerBy(dx: 10, dy: -2)])
        // A repeated step has no effect.
        #expect(receiver.handle(Self.step(1, 1, 13, 2)).isEmpty)
        // The effect of a late step is undone by the next one.
        let late = receiver.handle(Self.step(1, 1, 10, 2)) + receiver.handle(Self.step(1, 1, 14, 3))
        #expect(late == [.movePointerBy(dx: -3, dy: 0), .movePointerBy(dx: 4, dy: 1)])
    }

    @Test("what is late and says so moves nothing back")
    func late() throws {
        var receiver = Self.receiver()
        func step(_ total: UInt32, _ order: UInt64) -> ViewerMessage { Self.step(1, 0, total, 0, order: order) }
        #expect(receiver.handle(step(1, 1)) == [.movePointerBy(dx: 1, dy: 0)])
        #expect(receiver.handle(step(5, 3)) == [.movePointerBy(dx: 4, dy: 0)])
        #expect(receiver.handle(step(3, 2)).isEmpty)
        #expect(receiver.handle(step(5, 3)).isEmpty)
        #expect(receiver.handle(step(6, 4)) == [.movePointerBy(dx: 1, dy: 0)])
        // A position from before the last step is late, too.
        let point = try #require(NormalizedPoint(x: 0, y: 0))
        #expect(receiver.handle(.mouseTo(point, order: 3)).isEmpty)
        #expect(receiver.drops[.oldMotion] == 3)
    }

    @Test(
        "totals wrap at 2^31, both ways", arguments: [0, 1, 100, (1 << 31) - 1, (1 << 31) - 100, 1 << 30] as [UInt32])
    func wraps(start: UInt32) {
        var receiver = Self.receiver()
        let mask: UInt32 = 0x7FFF_FFFF
        _ = receiver.handle(Self.step(1, 1, start, start))
        var total = start
        for step in [5, -5, 200, -300, 65_535, -65_535] {
            total = (total &+ UInt32(bitPattern: Int32(step))) & mask
            #expect(receiver.handle(Self.step(1, 1, total, total)) == [.movePointerBy(dx: step, dy: step)])
        }
        // Impossible distances are clamped.
        total = (total &+ 1 << 29) & mask
        #expect(receiver.handle(Self.step(1, 1, total, total)) == [.movePointerBy(dx: 65_535, dy: 65_535)])
    }

    @Test("of places only the newest counts")
    func places() {
        var receiver = Self.receiver()
        let (left, right) = (Self.left, Self.right)
        #expect(receiver.handle(.mouseTo(right, order: 5)) == [.movePointer(x: 99, y: 49)])
        #expect(receiver.handle(.mouseTo(left, order: 4)).isEmpty)
        #expect(receiver.handle(.mouseTo(left, order: 5)).isEmpty)
        #expect(receiver.drops[.oldMotion] == 2)
        #expect(receiver.handle(.mouseTo(left, order: 6)) == [.movePointer(x: 0, y: 0)])
        receiver.mapper = CoordinateMapper(size: PixelSize(width: 10, height: 10))
        #expect(receiver.handle(.mouseTo(right, order: 7)) == [.movePointer(x: 9, y: 9)])
    }

    @Test("a place that was said before a button and comes after it moves nothing")
    func overtakenByAPress() {
        var receiver = Self.receiver()
        let (left, right) = (Self.left, Self.right)
        let down = receiver.handle(.mouseDown(.left, at: PressPlace(right, order: 2)))
        #expect(down == [.movePointer(x: 99, y: 49), .button(.left, isDown: true)])
        #expect(receiver.handle(.mouseTo(left, order: 1)).isEmpty)
        #expect(receiver.drops[.oldMotion] == 1)
        #expect(receiver.handle(.mouseTo(left, order: 3)) == [.movePointer(x: 0, y: 0)])
    }

    @Test("a button that comes late acts at its place, and the pointer goes back to where it is by now")
    func latePress() {
        var receiver = Self.receiver()
        let (left, right) = (Self.left, Self.right)
        let (there, back) = (InjectedInput.movePointer(x: 0, y: 0), InjectedInput.movePointer(x: 99, y: 49))
        _ = receiver.handle(.mouseTo(right, order: 9))
        #expect(
            receiver.handle(.mouseDown(.left, at: PressPlace(left, order: 7)))
                == [there, .button(.left, isDown: true), back])
        #expect(
            receiver.handle(.mouseUp(.left, at: PressPlace(left, order: 8)))
                == [there, .button(.left, isDown: false), back])
        // It is still late: the first received is the newest.
        #expect(receiver.handle(.mouseTo(left, order: 9)).isEmpty)
        // A relative step has no position to return to.
        _ = receiver.handle(Self.step(1, 1, 1, 1, order: 20))
        let click = receiver.handle(.click(.right, count: 1, at: PressPlace(left, order: 19)))
        #expect(click == [there, .button(.right, isDown: true), .button(.right, isDown: false)])
        // Without an order number, the position is used as it is.
        #expect(receiver.handle(.mouseDown(.left, at: PressPlace(left))) == [there, .button(.left, isDown: true)])
    }

    @Test("buttons go down and up once")
    func buttons() {
        var receiver = Self.receiver()
        #expect(receiver.handle(.mouseUp(.left, at: nil)).isEmpty)
        #expect(receiver.handle(.mouseDown(.left, at: nil)) == [.button(.left, isDown: true)])
        #expect(receiver.handle(.mouseDown(.left, at: nil)).isEmpty)
        #expect(receiver.handle(.click(.left, count: 1, at: nil)).isEmpty)
        #expect(receiver.handle(.click(.right, count: 1, at: nil)).count == 2)
        #expect(receiver.isHolding)
        #expect(receiver.handle(.mouseUp(.left, at: nil)) == [.button(.left, isDown: false)])
        #expect(!receiver.isHolding)
        #expect(receiver.drops[.repeatedDown] == 2 && receiver.drops[.strayUp] == 1)
    }

    @Test("a wheel's small steps add up")
    func scrolling() {
        var receiver = Self.receiver()
        var sum = 0
        for _ in 0..<100 {
            for case .scroll(_, let dy) in receiver.handle(.scroll(dx: 0, dy: 1.25)) { sum += dy }
        }
        #expect(sum == 125)
        #expect(receiver.handle(.scroll(dx: -120, dy: 0)) == [.scroll(dx: -120, dy: 0)])
    }

    // MARK: Keys

    @Test("a modifier that is not down is borrowed for as long as the key is")
    func borrowed() {
        var receiver = Self.receiver()
        #expect(
            receiver.handle(Self.down(4, [.shift])) == [
                .key(usage: USBKeyboard.leftShift, isDown: true), .key(usage: 4, isDown: true),
            ])
        #expect(receiver.handle(Self.down(4, [.shift])).isEmpty)
        // A second key borrows the modifier too; it is released with the last.
        #expect(receiver.handle(Self.down(5, [.shift])) == [.key(usage: 5, isDown: true)])
        #expect(receiver.handle(Self.up(4)) == [.key(usage: 4, isDown: false)])
        #expect(
            receiver.handle(Self.up(5)) == [
                .key(usage: 5, isDown: false), .key(usage: USBKeyboard.leftShift, isDown: false),
            ])
        #expect(!receiver.isHolding)
    }

    @Test("a modifier that is down by itself, on either side, is left alone")
    func own() {
        var receiver = Self.receiver()
        #expect(
            receiver.handle(Self.down(USBKeyboard.rightShift)) == [.key(usage: USBKeyboard.rightShift, isDown: true)])
        #expect(receiver.handle(Self.down(4, [.shift])) == [.key(usage: 4, isDown: true)])
        #expect(receiver.handle(Self.up(4)) == [.key(usage: 4, isDown: false)])
        #expect(
            receiver.handle(Self.up(USBKeyboard.rightShift)) == [.key(usage: USBKeyboard.rightShift, isDown: false)])
    }

    @Test("one that is borrowed and then pressed stays down until it is lifted")
    func adopted() {
        var receiver = Self.receiver()
        _ = receiver.handle(Self.down(4, [.control]))
        #expect(receiver.handle(Self.down(USBKeyboard.leftControl)).isEmpty)
        #expect(receiver.handle(Self.up(4)) == [.key(usage: 4, isDown: false)])
        #expect(receiver.isHolding)
        #expect(
            receiver.handle(Self.up(USBKeyboard.leftControl)) == [.key(usage: USBKeyboard.leftControl, isDown: false)])
        #expect(!receiver.isHolding)
        // Conversely, a modifier released by the user stays down for the key that borrows it.
        _ = receiver.handle(Self.down(5, [.control]))
        _ = receiver.handle(Self.down(USBKeyboard.leftControl))
        #expect(receiver.handle(Self.up(USBKeyboard.leftControl)).isEmpty)
        #expect(
            receiver.handle(Self.up(5)) == [
                .key(usage: 5, isDown: false), .key(usage: USBKeyboard.leftControl, isDown: false),
            ])
    }

    @Test("a modifier does not borrow itself")
    func itself() {
        var receiver = Self.receiver()
        let shift = KeyStroke(usage: USBKeyboard.leftShift, modifiers: [.shift])
        #expect(
            receiver.handle(.keyPress(shift)) == [
                .key(usage: USBKeyboard.leftShift, isDown: true), .key(usage: USBKeyboard.leftShift, isDown: false),
            ])
        // Pressed while borrowed: no event is injected, and no state is left.
        _ = receiver.handle(Self.down(4, [.shift]))
        #expect(receiver.handle(.keyPress(shift)).isEmpty)
        #expect(receiver.handle(Self.up(4)).count == 2)
        #expect(!receiver.isHolding)
    }

    @Test("a key pressed while it is down is not pressed again")
    func pressedTwice() {
        var receiver = Self.receiver()
        _ = receiver.handle(Self.down(4))
        #expect(receiver.handle(.keyPress(KeyStroke(usage: 4))).isEmpty)
        #expect(receiver.handle(Self.up(4)) == [.key(usage: 4, isDown: false)])
        #expect(receiver.handle(Self.up(4)).isEmpty)
        #expect(receiver.drops[.repeatedDown] == 1 && receiver.drops[.strayUp] == 1)
    }

    @Test("all that is down goes up, the last first")
    func released() {
        var receiver = Self.receiver()
        _ = receiver.handle(.mouseDown(.left, at: nil))
        _ = receiver.handle(Self.down(USBKeyboard.leftAlt))
        _ = receiver.handle(Self.down(4, [.shift]))
        #expect(
            receiver.handle(.releaseAll) == [
                .key(usage: 4, isDown: false), .key(usage: USBKeyboard.leftShift, isDown: false),
                .key(usage: USBKeyboard.leftAlt, isDown: false), .button(.left, isDown: false),
            ])
        #expect(receiver.release().isEmpty && !receiver.isHolding)
    }

    @Test("silence for two seconds lets go, and only of what is down")
    func silence() {
        var receiver = Self.receiver()
        let start = Instant.zero + .seconds(9)
        receiver.heard(now: start)
        #expect(receiver.deadline == nil)
        _ = receiver.handle(Self.down(4))
        #expect(receiver.deadline?.at == start + .milliseconds(400))
        receiver.heard(now: start + .seconds(1))
        #expect(receiver.tick(now: start + .milliseconds(1399)).isEmpty)
        #expect(receiver.tick(now: start + .milliseconds(1400)) == [.stopRepeating])
        #expect(receiver.deadline?.at == start + .seconds(3))
        #expect(receiver.tick(now: start + .seconds(3)) == [.key(usage: 4, isDown: false)])
        #expect(receiver.deadline == nil)
    }

    @Test(
        "a character goes down as itself and up by its key; the locks are set before each press, but for a lock's own"
    )
    func characters() throws {
        var receiver = Self.receiver()
        let locks = LockState(caps: true)
        #expect(receiver.handle(.locks(locks)) == [.locks(locks)])
        let key = KeyStroke(usage: 4, character: "é")
        #expect(receiver.handle(.keyDown(key)) == [.locks(locks), .character("é", usage: 4)])
        #expect(receiver.handle(Self.up(4)) == [.key(usage: 4, isDown: false)])
        _ = receiver.release()
        #expect(
            receiver.handle(.keyPress(key)) == [
                .locks(locks), .character("é", usage: 4), .key(usage: 4, isDown: false),
            ])
        // The page reports its locks after the key that toggles them.
        _ = receiver.handle(.keyDown(KeyStroke(usage: 0x39)))
        #expect(receiver.handle(.keyPress(key)).count == 2)
        _ = receiver.handle(Self.up(0x39))
        #expect(receiver.handle(.keyPress(key)).count == 3)
    }
}
