import CXCB
import Foundation

extension Desktop {
    /// A key press, with other keys held.
    package struct Stroke: Hashable {
        package var keycode: UInt8
        package var held: [UInt8]

        package init(_ keycode: UInt8, with held: [UInt8] = []) {
            self.keycode = keycode
            self.held = held
        }
    }

    package static let shift: UInt8 = 50
    /// AltGr, if the layout has it, else the right Alt.
    package static let rightAlt: UInt8 = 108
    package static let enter = Stroke(36)

    /// Presses and releases keys like a local user, as fast as the server can; returns once the server has executed it.
    package func strike(_ strokes: [Stroke]) {
        var held: [UInt8] = []
        for stroke in strokes {
            var pause = stroke.held == held ? 0 : Self.pause
            held = stroke.held
            for key in stroke.held + [stroke.keycode] {
                fake(XCB_KEY_PRESS, key, after: pause)
                pause = 0
            }
            for key in [stroke.keycode] + stroke.held.reversed() { fake(XCB_KEY_RELEASE, key) }
        }
        settle()
    }

    /// Sets the locks, whatever their state, without a key.
    package func lock(caps: Bool, num: Bool) throws {
        guard helio_xkb_begin(connection) != 0 else { throw NoDisplay() }
        helio_xkb_lock(connection, 0x12, (caps ? 0x02 : 0) | (num ? 0x10 : 0))
        settle()
    }

    /// The active modifiers and locks, as the core protocol's mask: 2 is Caps Lock, 16 Num Lock.
    package func modifiers() throws -> Int {
        guard let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, root), nil) else {
            throw NoDisplay()
        }
        defer { free(reply) }
        return Int(reply.pointee.mask & 0xFF)
    }

    /// Sets the keyboard layout by its name for `setxkbmap`: "de", "us(intl)".
    package func setLayout(_ layout: String) throws { try run("setxkbmap", "-layout", layout) }

    /// The milliseconds of a pause whenever the held keys change: SDL takes a key press within 2 ms of its release for
    /// key repeat.
    private static let pause: UInt32 = 5

    private func fake(_ type: Int32, _ keycode: UInt8, after milliseconds: UInt32 = 0) {
        xcb_test_fake_input(connection, UInt8(type), keycode, milliseconds, root, 0, 0, 0)
    }

    private func settle() {
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
    }
}
