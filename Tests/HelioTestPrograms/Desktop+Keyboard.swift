import CXCB
import Foundation

extension Desktop {
    /// A key that is pressed with others held.
    package struct Stroke: Hashable {
        package var keycode: UInt8
        package var held: [UInt8]

        package init(_ keycode: UInt8, with held: [UInt8] = []) {
            self.keycode = keycode
            self.held = held
        }
    }

    package static let shift: UInt8 = 50
    /// AltGr, where the layout has one, and otherwise the right Alt.
    package static let rightAlt: UInt8 = 108
    package static let enter = Stroke(36)

    /// Presses and releases keys, as fast as the server can, as whoever sits here; returns when the server has done it.
    ///
    /// - Parameter pace: the milliseconds between two strokes.
    package func strike(_ strokes: [Stroke], pace: UInt32 = 0) {
        var held: [UInt8] = []
        for stroke in strokes {
            var pause = stroke.held == held ? pace : max(pace, Self.pause)
            held = stroke.held
            for key in stroke.held + [stroke.keycode] {
                fake(XCB_KEY_PRESS, key, after: pause)
                pause = 0
            }
            for key in [stroke.keycode] + stroke.held.reversed() { fake(XCB_KEY_RELEASE, key) }
        }
        settle()
    }

    /// Switches the locks, whatever they were, by no key.
    package func lock(caps: Bool, num: Bool) throws {
        guard helio_xkb_begin(connection) != 0 else { throw NoDisplay() }
        helio_xkb_lock(connection, 0x12, (caps ? 0x02 : 0) | (num ? 0x10 : 0))
        settle()
    }

    /// The modifiers and locks that count, as the core protocol's mask of them: 2 Caps Lock, 16 Num Lock.
    package func modifiers() throws -> Int {
        guard let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, root), nil) else {
            throw NoDisplay()
        }
        defer { free(reply) }
        return Int(reply.pointee.mask & 0xFF)
    }

    /// Sets the keyboard's layout as `setxkbmap` has it: "de", "us(intl)".
    package func setLayout(_ layout: String) throws { try run("setxkbmap", "-layout", layout) }

    /// The milliseconds before keys are pressed with others held than before: SDL takes a key's press that comes sooner than
    /// 2 ms after its release for its repeating.
    private static let pause: UInt32 = 5

    private func fake(_ type: Int32, _ keycode: UInt8, after milliseconds: UInt32 = 0) {
        xcb_test_fake_input(connection, UInt8(type), keycode, milliseconds, root, 0, 0, 0)
    }

    private func settle() {
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
    }
}
