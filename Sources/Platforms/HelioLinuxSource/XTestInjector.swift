import CXCB
import Glibc
package import HelioCore
import HelioWayland

/// Injects input into an X server by XTEST, on a connection of its own.
///
/// The calls send requests and mostly wait for no reply. But before a character, the server is queried for its
/// modifiers (about 50 µs) and, if the keymap has changed, for the keymap. Once the connection has failed, all calls do
/// nothing.
package final class XTestInjector: InputInjecting {
    let x: X11Connection
    private let hasXKB: Bool
    /// The position of the captured area in the root window.
    private var origin = (x: 0, y: 0)
    private var keyboard = TextKeyboard()
    private var buttons = ButtonNumbers()
    private var held = HeldKeys()
    /// The X keycodes that are held for the viewer's keys, by USB HID usage.
    private var pressed: [UInt16: UInt8] = [:]
    /// The X buttons that are held for the viewer's buttons; see `ButtonNumbers`.
    private var pressedButtons: [PointerButton: UInt8] = [:]
    /// The key that was pressed for the last character; `nil` once the modifiers were restored.
    private var character: UInt8?
    private var changed = HeldModifiers()
    private let guardian: KeyGuard?
    /// The remainder of scrolling that is less than a detent, in 1/120 of a detent.
    private var scrollX = 0
    private var scrollY = 0

    /// Connects to a display. Throws `unsupported` if its server has no XTEST.
    ///
    /// - Parameter display: the display's name, in the form of `$DISPLAY`; `nil` for the value of `$DISPLAY`.
    package init(display: String? = nil) throws(HelioError) {
        x = try X11Connection(display: display)
        guard x.firstEvent(of: HELIO_XTEST) != nil else {
            throw HelioError(
                .unsupported,
                "The X display \(x.displayName) takes no input from programs: its server has XTEST switched off.")
        }
        hasXKB = helio_xkb_begin(x.raw) != 0
        guardian = KeyGuard(display: x.displayName)
    }

    /// Releases all keys and buttons that are still down, so that none stays down after the session. If the process is
    /// killed, `KeyGuard` does this.
    deinit {
        if changed.isUnlocked { helio_xkb_lock(x.raw, Self.lock, Self.lock) }
        for key in held.keys { fake(XCB_KEY_RELEASE, key) }
        for button in held.buttons { fake(XCB_BUTTON_RELEASE, button) }
        keyboard.unbindAll(x)
        // Wait for a reply before the connection closes, as the server drops the unhandled requests of a client that
        // disconnects.
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
        takeEvents()
        restoreModifiers()
        let number: UInt8
        if isDown {
            number = buttons.pressed(for: Self.number(of: button), x)
            pressedButtons[button] = number
        } else {
            number = pressedButtons.removeValue(forKey: button) ?? buttons.pressed(for: Self.number(of: button), x)
        }
        held.set(button: number, isDown: isDown)
        fake(isDown ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, number)
    }

    private static func number(of button: PointerButton) -> UInt8 {
        switch button {
        case .left: 1
        case .middle: 2
        case .right: 3
        case .back: 8
        case .forward: 9
        }
    }

    package func scroll(dx: Int, dy: Int) {
        takeEvents()
        restoreModifiers()
        scrollX = Self.clicks(scrollX, plus: dx) { fakeClick($0 > 0 ? 7 : 6) }
        scrollY = Self.clicks(scrollY, plus: dy) { fakeClick($0 > 0 ? 4 : 5) }
    }

    package func key(usage: UInt16, isDown: Bool) {
        takeEvents()
        if isDown {
            guard let code = EvdevKeycodes.keycode(usage: usage) else { return }
            restoreModifiers()
            press(code, for: usage)
        } else if let code = pressed.removeValue(forKey: usage) ?? EvdevKeycodes.keycode(usage: usage) {
            release(code)
        }
    }

    package func press(_ scalar: Unicode.Scalar, usage: UInt16) {
        takeEvents()
        restoreModifiers()
        let place = EvdevKeycodes.keycode(usage: usage)
        let state = state
        guard let stroke = keyboard.stroke(for: scalar, at: place, state, x) else { return }
        guardian?.expect(meanings: keyboard.changedMeanings)
        change(to: stroke, from: state)
        character = stroke.keycode
        press(stroke.keycode, for: usage)
    }

    package func type(_ text: String) {
        takeEvents()
        restoreModifiers()
        let state = state
        for scalar in text.unicodeScalars {
            guard let stroke = keyboard.stroke(for: scalar, state, x) else { continue }
            guardian?.expect(meanings: keyboard.changedMeanings)
            change(to: stroke, from: state)
            if held.contains(key: stroke.keycode) { release(stroke.keycode) }
            fake(XCB_KEY_PRESS, stroke.keycode)
            fake(XCB_KEY_RELEASE, stroke.keycode)
        }
        restoreModifiers()
    }

    package func setLocks(_ locks: LockState) {
        takeEvents()
        restoreModifiers()
        guard hasXKB else { return }
        keyboard.learn(x)
        let num = keyboard.keymap?.mask(of: ServerKeymap.numLock) ?? 0
        let affected = (locks.caps == nil ? 0 : Self.lock) | (locks.num == nil ? 0 : num)
        let on = (locks.caps == true ? Self.lock : 0) | (locks.num == true ? num : 0)
        if affected != 0 { helio_xkb_lock(x.raw, affected, on) }
    }

    /// Stops the server's auto-repeat by pressing a key without a keysym, as the server repeats only the last pressed
    /// key. If there is no such key, releases all keys except the modifiers.
    package func stopRepeating() {
        takeEvents()
        keyboard.learn(x)
        if let mute = keyboard.mute {
            fake(XCB_KEY_PRESS, mute)
            fake(XCB_KEY_RELEASE, mute)
        } else {
            for (usage, code) in pressed where !(0xE0...0xE7).contains(usage) {
                pressed[usage] = nil
                release(code)
            }
        }
    }

    package func flush() {
        guardian?.expect(held)
        xcb_flush(x.raw)
        guardian?.settle(held)
        takeEvents()
    }

    /// Reads the server's queued events, and handles changes of the keymap and the button map.
    private func takeEvents() {
        while let event = xcb_poll_for_event(x.raw) {
            if event.pointee.response_type & 0x7F == UInt8(XCB_MAPPING_NOTIFY) {
                let mapping = UnsafeRawPointer(event).load(as: xcb_mapping_notify_event_t.self)
                switch UInt32(mapping.request) {
                case XCB_MAPPING_POINTER.rawValue: buttons.forget()
                case XCB_MAPPING_MODIFIER.rawValue: keyboard.forgetAll()
                default: keyboard.forget()
                }
            } else if hasXKB, helio_xkb_is_other_keymap(x.raw, event) != 0 {
                keyboard.forgetAll()
            }
            free(event)
        }
    }

    /// Calls `click` once per detent of a scroll, at most 100 times (against hostile values), and returns the
    /// remainder.
    private static func clicks(_ before: Int, plus delta: Int, click: (Int) -> Void) -> Int {
        let bounded = max(-12000, min(12000, delta))
        // The remainder of the old direction is dropped if the direction changes.
        var sum = (before ^ bounded) < 0 ? bounded : before + bounded
        while abs(sum) >= 120 {
            click(sum)
            sum -= sum > 0 ? 120 : -120
        }
        return sum
    }

    private func fakeClick(_ wheel: UInt8) {
        let button = buttons.pressed(for: wheel, x)
        fake(XCB_BUTTON_PRESS, button)
        fake(XCB_BUTTON_RELEASE, button)
    }

    // MARK: Modifiers of a character

    /// The mask of Caps Lock.
    private static let lock: UInt8 = 2

    /// The effective modifiers at the server. The query flushes the requests that were queued before it.
    private var state: KeyboardState {
        guardian?.expect(held)
        keyboard.learn(x)
        return .now(x, hasXKB: hasXKB, level3: keyboard.keymap?.mask(of: ServerKeymap.level3Shift) ?? 0)
    }

    private func press(_ code: UInt8, for usage: UInt16) {
        // Two of the viewer's keys may have the same keycode on this X server.
        if held.contains(key: code) { fake(XCB_KEY_RELEASE, code) }
        pressed[usage] = code
        held.set(key: code, isDown: true)
        fake(XCB_KEY_PRESS, code)
    }

    private func release(_ code: UInt8) {
        // Another of the viewer's keys, with the same keycode, is still down.
        if pressed.values.contains(code) { return }
        if let index = changed.lifted.firstIndex(of: code) {
            // The modifier key is already up, for the character; now it must not be pressed again afterwards.
            changed.lifted.remove(at: index)
            return
        }
        held.set(key: code, isDown: false)
        fake(XCB_KEY_RELEASE, code)
        if character == code { restoreModifiers() }
    }

    /// Changes the server's modifiers to those that a stroke needs.
    ///
    /// - Parameter state: the modifiers in effect without this object's changes.
    private func change(to stroke: TextKeyboard.Stroke, from state: KeyboardState) {
        guard let keymap = keyboard.keymap else { return }
        change(keymap.shiftKeys, areHeld: state.isShifted, areWanted: stroke.isShifted)
        change(keymap.level3Keys, areHeld: state.isLevel3, areWanted: stroke.isLevel3)
        if hasXKB, stroke.isUnlocked != changed.isUnlocked {
            changed.isUnlocked = stroke.isUnlocked
            helio_xkb_lock(x.raw, Self.lock, stroke.isUnlocked ? 0 : Self.lock)
        }
    }

    /// Changes one modifier for a character: presses one of its keys, or releases those that the viewer holds. If the
    /// viewer's own state is already as wanted, undoes an earlier change.
    private func change(_ keys: [UInt8], areHeld: Bool, areWanted: Bool) {
        let (lifted, added) = (changed.lifted.filter(keys.contains), changed.added.filter(keys.contains))
        if areHeld == areWanted {
            changed.lifted.removeAll(where: keys.contains)
            changed.added.removeAll(where: keys.contains)
            for key in added { set(key, isDown: false) }
            for key in lifted { set(key, isDown: true) }
        } else if areWanted {
            guard added.isEmpty, let key = keys.first else { return }
            changed.added.append(key)
            set(key, isDown: true)
        } else if lifted.isEmpty {
            let ours = keys.filter(held.contains(key:))
            changed.lifted += ours
            for key in ours { set(key, isDown: false) }
        }
    }

    /// Restores the modifiers that the viewer holds.
    private func restoreModifiers() {
        character = nil
        if changed.isEmpty { return }
        let before = changed
        changed = HeldModifiers()
        if before.isUnlocked { helio_xkb_lock(x.raw, Self.lock, Self.lock) }
        for key in before.added { set(key, isDown: false) }
        for key in before.lifted { set(key, isDown: true) }
    }

    private func set(_ key: UInt8, isDown: Bool) {
        held.set(key: key, isDown: isDown)
        fake(isDown ? XCB_KEY_PRESS : XCB_KEY_RELEASE, key)
    }

    private func fake(_ type: Int32, _ detail: UInt8, _ px: Int16 = 0, _ py: Int16 = 0) {
        xcb_test_fake_input(x.raw, UInt8(type), detail, 0, x.root, px, py, 0)
    }
}
