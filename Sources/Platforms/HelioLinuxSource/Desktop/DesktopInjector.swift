package import HelioCore
internal import HelioDesktop

/// Injects input by a desktop's session. The calls wait for no answer; once the session has ended they do nothing.
package final class DesktopInjector: InputInjecting {
    private let session: any DesktopSession
    private var keyboard = DesktopKeyboard()
    private var followed: ScreenMonitor?
    private var buttons: Set<PointerButton> = []
    /// The remainder of scrolling that is less than a detent, in 1/120 of a detent.
    private var scrollX = 0
    private var scrollY = 0
    /// The last place of the pointer that is not sent yet: of several, the last one counts.
    private var move: (x: Int, y: Int)?

    /// Throws `unsupported` if the desktop takes no input.
    init(_ session: any DesktopSession) throws(HelioError) {
        guard session.takesInput else {
            throw HelioError(
                .unsupported, "The desktop takes no input from this program: its screen can only be watched.")
        }
        self.session = session
        followed = try session.monitors().first
    }

    /// Lets go of all keys and buttons that are down.
    deinit {
        for step in keyboard.releaseAll() { session.send(step) }
        for button in buttons { session.send(.button(Self.code(of: button), isDown: false)) }
    }

    package func follow(_ monitor: ScreenMonitor) {
        flush()
        followed = monitor
    }

    package func movePointer(toX x: Int, y: Int) { move = (x, y) }

    package func movePointer(byX dx: Int, y dy: Int) {
        flush()
        session.send(.moveBy(x: Double(dx), y: Double(dy)))
    }

    package func button(_ button: PointerButton, isDown: Bool) {
        flush()
        if isDown { buttons.insert(button) } else { buttons.remove(button) }
        session.send(.button(Self.code(of: button), isDown: isDown))
    }

    /// The codes of linux/input-event-codes.h.
    private static func code(of button: PointerButton) -> Int32 {
        switch button {
        case .left: 0x110
        case .right: 0x111
        case .middle: 0x112
        case .back: 0x113
        case .forward: 0x114
        }
    }

    package func scroll(dx: Int, dy: Int) {
        flush()
        let (x, y) = (Self.detents(&scrollX, plus: dx), Self.detents(&scrollY, plus: dy))
        if x != 0 { session.send(.scroll(isHorizontal: true, detents: x)) }
        // Upwards is negative on the desktop.
        if y != 0 { session.send(.scroll(isHorizontal: false, detents: -y)) }
    }

    /// Returns the whole detents of a scroll, at most 100 (against hostile values), and keeps the remainder; that of
    /// the old direction is dropped if the direction changes.
    private static func detents(_ remainder: inout Int, plus delta: Int) -> Int32 {
        let bounded = max(-12000, min(12000, delta))
        let sum = (remainder ^ bounded) < 0 ? bounded : remainder + bounded
        remainder = sum % 120
        return Int32(sum / 120)
    }

    package func key(usage: UInt16, isDown: Bool) { send(keyboard.key(usage: usage, isDown: isDown)) }

    package func press(_ scalar: Unicode.Scalar, usage: UInt16) { send(keyboard.press(scalar, usage: usage)) }

    package func type(_ text: String) { send(keyboard.type(text)) }

    package func setLocks(_ locks: LockState) { send(keyboard.setLocks(locks, now: session.lockStates())) }

    package func stopRepeating() { send(keyboard.stopRepeating()) }

    package func flush() {
        guard let move, let followed else { return }
        self.move = nil
        let (width, height) = (max(1, followed.rect.width), max(1, followed.rect.height))
        session.send(
            .move(
                followed.id, x: Double(max(0, min(move.x, width - 1))), y: Double(max(0, min(move.y, height - 1))),
                of: PixelSize(width: width, height: height)))
    }

    private func send(_ steps: [DesktopInput]) {
        flush()
        for step in steps { session.send(step) }
    }
}
