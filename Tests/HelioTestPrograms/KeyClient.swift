import CXCB
package import HelioCore

/// `xev` over the whole of a desktop, as a reader of what is typed there.
package final class KeyClient {
    /// A press, by what a program makes of it.
    package struct Press: Equatable {
        package var keysym: UInt32
        package var keycode: Int

        /// The character that it types; `nil`: none.
        package var character: Unicode.Scalar? {
            let value = isDead ? 0 : xkb_keysym_to_utf32(keysym)
            return value < 0x20 || value == 0x7F ? nil : Unicode.Scalar(value)
        }

        /// True for Shift, AltGr and all others that only change what other keys make.
        package var isModifier: Bool { (0xFFE1...0xFFEE).contains(keysym) || (0xFE01...0xFE13).contains(keysym) }
        /// True for a key that changes what comes next.
        package var isDead: Bool { (0xFE50...0xFE93).contains(keysym) || keysym == 0xFF20 }
        /// True for what Xlib made of a dead key and of the key behind it, and reports beside both.
        package var isComposed: Bool { keycode == 0 }
    }

    private let program: RunningProgram

    /// Gives the client the keyboard, too.
    package init(_ desktop: Desktop, _ size: PixelSize) throws {
        program = try desktop.startClient(size, events: ["keyboard"])
        // Without a window manager, the window under the pointer has it.
        try desktop.run("xdotool", "mousemove", "50", "50")
    }

    deinit { program.kill() }

    /// The next press of a key that is no modifier's; with them, of any.
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

    /// What is typed up to Return, which is not part of it. Keys that mean nothing are passed over.
    package func typedUntilReturn() throws -> String {
        var typed = String.UnicodeScalarView()
        while true {
            let press = try press()
            if press.keysym == 0xFF0D { return String(typed) }
            if let character = press.character { typed.append(character) }
        }
    }
}
