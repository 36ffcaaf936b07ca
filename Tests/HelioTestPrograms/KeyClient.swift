import CXCB
package import HelioCore

/// `xev` over the whole desktop, which reads the typed keys.
package final class KeyClient {
    /// A key press as a program interprets it.
    package struct Press: Equatable {
        package var keysym: UInt32
        package var keycode: Int

        /// The character that the press types; `nil` if it types none.
        package var character: Unicode.Scalar? {
            let value = isDead ? 0 : xkb_keysym_to_utf32(keysym)
            return value < 0x20 || value == 0x7F ? nil : Unicode.Scalar(value)
        }

        /// True if the key is Shift, AltGr or another key that only affects other keys.
        package var isModifier: Bool { (0xFFE1...0xFFEE).contains(keysym) || (0xFE01...0xFE13).contains(keysym) }
        /// True if the key is a dead key, which affects the next one.
        package var isDead: Bool { (0xFE50...0xFE93).contains(keysym) || keysym == 0xFF20 }
        /// True if Xlib composed the press from a dead key and the next one; it is reported in addition to both.
        package var isComposed: Bool { keycode == 0 }
    }

    private let program: RunningProgram

    /// Starts the client, and gives it the keyboard focus.
    package init(_ desktop: Desktop, _ size: PixelSize) throws {
        program = try desktop.startClient(size, events: ["keyboard"])
        // Without a window manager, the window under the pointer has the focus.
        try desktop.run("xdotool", "mousemove", "50", "50")
    }

    deinit { program.kill() }

    /// Returns the next key press, by default without modifiers.
    package func press(modifiers: Bool = false) throws -> Press {
        while true {
            try program.line("a press") { $0.hasPrefix("KeyPress") }
            let line = try program.line(with: "keysym 0x")
            guard let keycode = line.firstMatch(of: /keycode ([0-9]+)/).flatMap({ Int($0.1) }),
                let keysym = line.firstMatch(of: /keysym 0x([0-9a-f]+)/).flatMap({ UInt32($0.1, radix: 16) })
            else { continue }
            let press = Press(keysym: keysym, keycode: keycode)
            if modifiers || !press.isModifier { return press }
        }
    }

    /// Returns the next character that is typed; `nil` if a key is pressed that has no keysym. Other keys without a
    /// character are skipped.
    package func typed() throws -> Unicode.Scalar? {
        while true {
            let press = try press()
            if press.character != nil || press.keysym == 0 { return press.character }
        }
    }

    /// Returns the text typed up to Return, without it. Keys without a character are skipped.
    package func typedUntilReturn() throws -> String {
        var typed = String.UnicodeScalarView()
        while true {
            let press = try press()
            if press.keysym == 0xFF0D { return String(typed) }
            if let character = press.character { typed.append(character) }
        }
    }
}
