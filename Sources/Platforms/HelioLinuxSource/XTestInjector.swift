import CXCB
import Glibc
package import HelioCore

/// Injects input into an X server by XTEST, on a connection of its own.
///
/// Requests are only written, never waited for, except that typing text may ask the server once for its
/// keymap (some 100 µs). After the server is gone all calls do nothing.
package final class XTestInjector: InputInjecting {
    private let x: X11Connection
    /// The position of the captured area in the root window.
    private var origin = (x: 0, y: 0)
    private var keyboard: TextKeyboard
    private var held = HeldKeys()
    private let guardian: KeyGuard?
    /// The scrolling that is less than a detent so far, in 120ths.
    private var scrollX = 0
    private var scrollY = 0

    /// - Parameter display: the display, as in `$DISPLAY`, which is taken when `nil`.
    package init(display: String? = nil) throws(HelioError) {
        x = try X11Connection(display: display)
        guard x.firstEvent(of: HELIO_XTEST) != nil else {
            throw HelioError(.unsupported, "The X display \(x.displayName) takes no input: it lacks XTEST.")
        }
        keyboard = TextKeyboard()
        guardian = KeyGuard(display: x.displayName)
    }

    /// Releases all keys and buttons that are still down, so that none hangs after the session. Where the process is
    /// killed instead, `KeyGuard` does.
    deinit {
        for key in held.keys { fake(XCB_KEY_RELEASE, key) }
        for button in held.buttons { fake(XCB_BUTTON_RELEASE, button) }
        keyboard.unbindAll(x)
        // The server drops what it has not yet served of a client that hangs up.
        free(xcb_get_input_focus_reply(x.raw, xcb_get_input_focus(x.raw), nil))
    }

    package func follow(_ monitor: ScreenMonitor) { origin = (monitor.rect.x, monitor.rect.y) }

    package func movePointer(toX px: Int, y py: Int) {
        fake(XCB_MOTION_NOTIFY, 0, Int16(clamping: px + origin.x), Int16(clamping: py + origin.y))
    }

    package func movePointer(byX dx: Int, y dy: Int) {
        fake(XCB_MOTION_NOTIFY, 1, Int16(clamping: dx), Int16(clamping: dy))
    }

    package func button(_ button: PointerButton, isDown: Bool) {
        let number: UInt8 =
            switch button {
            case .left: 1
            case .middle: 2
            case .right: 3
            case .back: 8
            case .forward: 9
            }
        held.set(button: number, isDown: isDown)
        fake(isDown ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, number)
    }

    package func scroll(dx: Int, dy: Int) {
        scrollX = Self.clicks(scrollX, plus: dx) { fakeClick($0 > 0 ? 7 : 6) }
        scrollY = Self.clicks(scrollY, plus: dy) { fakeClick($0 > 0 ? 4 : 5) }
    }

    package func key(usage: UInt16, isDown: Bool) {
        guard let code = EvdevKeycodes.keycode(usage: usage) else { return }
        held.set(key: code, isDown: isDown)
        fake(isDown ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code)
    }

    package func type(_ text: String) {
        let strokes = keyboard.strokes(for: text, x)
        guardian?.expect(meanings: keyboard.changedMeanings)
        for stroke in strokes {
            if stroke.needsShift { fake(XCB_KEY_PRESS, keyboard.shiftKey) }
            fake(XCB_KEY_PRESS, stroke.keycode)
            fake(XCB_KEY_RELEASE, stroke.keycode)
            if stroke.needsShift { fake(XCB_KEY_RELEASE, keyboard.shiftKey) }
        }
    }

    package func flush() {
        guardian?.expect(held)
        xcb_flush(x.raw)
        guardian?.settle(held)
        while let event = xcb_poll_for_event(x.raw) {
            if event.pointee.response_type & 0x7F == UInt8(XCB_MAPPING_NOTIFY) { keyboard.forget() }
            free(event)
        }
    }

    /// Makes the clicks of a scroll, and returns the remainder; at most 100 clicks a call, so that a hostile number
    /// costs little.
    private static func clicks(_ before: Int, plus delta: Int, click: (Int) -> Void) -> Int {
        let bounded = max(-12000, min(12000, delta))
        // A turn of the wheel's direction forgets the fraction of the other one.
        var sum = (before ^ bounded) < 0 ? bounded : before + bounded
        while abs(sum) >= 120 {
            click(sum)
            sum -= sum > 0 ? 120 : -120
        }
        return sum
    }

    private func fakeClick(_ button: UInt8) {
        fake(XCB_BUTTON_PRESS, button)
        fake(XCB_BUTTON_RELEASE, button)
    }

    private func fake(_ type: Int32, _ detail: UInt8, _ px: Int16 = 0, _ py: Int16 = 0) {
        xcb_test_fake_input(x.raw, UInt8(type), detail, 0, x.root, px, py, 0)
    }
}
