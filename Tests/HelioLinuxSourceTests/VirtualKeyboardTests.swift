import HelioCore
import Testing

@testable import HelioLinuxSource

@Suite("A virtual keyboard with a keymap of its own") struct VirtualKeyboardTests {
    private typealias Modifier = VirtualKeymap.Modifier
    private typealias Step = VirtualKeyboard.Step

    /// The steps without the text of keymaps.
    private static func short(_ steps: [VirtualKeyboard.Step]) -> [VirtualKeyboard.Step] {
        steps.map { if case .keymap = $0 { .keymap("") } else { $0 } }
    }

    @Test("keys go to their places, and modifiers beside them") func places() {
        var keyboard = VirtualKeyboard()
        #expect(keyboard.key(usage: 0x04, isDown: true) == [.key(38, isDown: true)])
        #expect(keyboard.key(usage: 0x04, isDown: false) == [.key(38, isDown: false)])
        #expect(
            keyboard.key(usage: 0xE0, isDown: true)
                == [.key(37, isDown: true), .modifiers(depressed: Modifier.control, locked: 0)])
        #expect(keyboard.key(usage: 0x06, isDown: true) == [.key(54, isDown: true)])
        #expect(keyboard.key(usage: 0x06, isDown: false) == [.key(54, isDown: false)])
        #expect(
            keyboard.key(usage: 0xE0, isDown: false)
                == [.key(37, isDown: false), .modifiers(depressed: 0, locked: 0)])
        #expect(keyboard.key(usage: 0x03, isDown: true).isEmpty && keyboard.key(usage: 0x04, isDown: false).isEmpty)
    }

    @Test("both Shift keys are one modifier until both are up") func twoShifts() {
        var keyboard = VirtualKeyboard()
        _ = keyboard.key(usage: 0xE1, isDown: true)
        #expect(keyboard.key(usage: 0xE5, isDown: true) == [.key(62, isDown: true)])
        #expect(keyboard.key(usage: 0xE1, isDown: false) == [.key(50, isDown: false)])
        #expect(
            keyboard.key(usage: 0xE5, isDown: false)
                == [.key(62, isDown: false), .modifiers(depressed: 0, locked: 0)])
    }

    @Test("a character of the layout is typed by its own key, with or against the held Shift") func characters() {
        var keyboard = VirtualKeyboard()
        #expect(
            keyboard.press("A", usage: 0x04)
                == [.modifiers(depressed: Modifier.shift, locked: 0), .key(38, isDown: true)])
        #expect(
            keyboard.key(usage: 0x04, isDown: false)
                == [.key(38, isDown: false), .modifiers(depressed: 0, locked: 0)])
        // French: Shift and the key beside the left Shift's row give a digit, which here needs no Shift.
        _ = keyboard.key(usage: 0xE1, isDown: true)
        #expect(
            keyboard.press("1", usage: 0x1E) == [.modifiers(depressed: 0, locked: 0), .key(10, isDown: true)])
        #expect(
            keyboard.key(usage: 0x1E, isDown: false)
                == [.key(10, isDown: false), .modifiers(depressed: Modifier.shift, locked: 0)])
    }

    @Test("Control stays with a character, AltGr and Caps Lock do not") func otherModifiers() {
        var keyboard = VirtualKeyboard()
        _ = keyboard.key(usage: 0xE0, isDown: true)
        _ = keyboard.key(usage: 0xE6, isDown: true)
        _ = keyboard.setLocks(LockState(caps: true, num: nil))
        #expect(
            keyboard.press("@", usage: 0x14)
                == [.modifiers(depressed: Modifier.control | Modifier.shift, locked: 0), .key(11, isDown: true)])
        #expect(
            keyboard.key(usage: 0x14, isDown: false)
                == [
                    .key(11, isDown: false),
                    .modifiers(depressed: Modifier.control | Modifier.level3, locked: Modifier.lock),
                ])
    }

    @Test("other characters are bound to spare keys, once each") func binding() throws {
        var keyboard = VirtualKeyboard()
        let steps = keyboard.press("€", usage: 0x08)
        guard case .keymap(let text) = steps.first, case .key(let code, true) = steps.last else {
            Issue.record("\(Self.short(steps))")
            return
        }
        #expect(text.contains("key<K\(code)>{type=\"ONE_LEVEL\",[U20AC]};"))
        #expect(VirtualKeymap.spare.contains(code))
        #expect(keyboard.key(usage: 0x08, isDown: false).first == .key(code, isDown: false))
        #expect(keyboard.press("€", usage: 0x08) == [.key(code, isDown: true)])
        _ = keyboard.key(usage: 0x08, isDown: false)
        #expect(keyboard.type("€") == [.key(code, isDown: true), .key(code, isDown: false)])
    }

    @Test("when no key is spare, the character used longest ago gives up its key, but none that is down") func many() {
        var keyboard = VirtualKeyboard()
        var codes: Set<UInt8> = []
        guard case .key(let held, _)? = keyboard.press("\u{4E00}", usage: 0x04).last else { return }
        for value in 0x4E01..<0x4E01 + 2 * UInt32(VirtualKeymap.spare.count) {
            guard let scalar = Unicode.Scalar(value),
                case .key(let code, _)? = keyboard.type(String(scalar)).last(where: {
                    if case .key = $0 { true } else { false }
                })
            else {
                Issue.record("nothing is typed for \(value)")
                return
            }
            codes.insert(code)
        }
        #expect(codes.count == VirtualKeymap.spare.count - 1 && !codes.contains(held))
        #expect(keyboard.untyped == 0)
    }

    @Test("a text's characters are bound together, as often as there are keys for") func text() {
        var keyboard = VirtualKeyboard()
        let spare = VirtualKeymap.spare.count
        let scalars = (0..<spare + 5).compactMap { Unicode.Scalar(0x4E00 + UInt32($0)) }
        let text = String(String.UnicodeScalarView(scalars))
        let steps = keyboard.type("ab" + text + text)
        let keymaps = steps.count { if case .keymap = $0 { true } else { false } }
        let presses = steps.count { if case .key(_, true) = $0 { true } else { false } }
        #expect(presses == 2 + 2 * scalars.count && (2...4).contains(keymaps), "\(keymaps) keymaps")
        // Each key types the character to which the keymap before it binds it.
        var bound = ""
        var typed: [Unicode.Scalar] = []
        for step in steps {
            switch step {
            case .keymap(let keymap): bound = keymap
            case .key(let code, true):
                let entry = bound.split(separator: "\n").first { $0.hasPrefix("key<K\(code)>") && $0.contains("[U") }
                let hex = entry?.split(separator: "[U").last?.prefix { $0 != "]" }
                if let value = hex.flatMap({ UInt32($0, radix: 16) }), let scalar = Unicode.Scalar(value) {
                    typed.append(scalar)
                }
            default: break
            }
        }
        #expect(typed == scalars + scalars)
    }

    @Test("all of ASCII has a key, and what is no character is not typed") func ascii() {
        for value in UInt32(0x20)...0x7F {
            let scalar = Unicode.Scalar(value)
            #expect(scalar.flatMap { VirtualKeymap.place(of: $0, at: nil) } != nil, "\(value)")
        }
        for character in "\r\n\t\u{8}\u{1B}".unicodeScalars {
            #expect(VirtualKeymap.place(of: character, at: nil) != nil)
        }
        var keyboard = VirtualKeyboard()
        #expect(keyboard.type("\u{1}\u{85}\u{FFFF}").isEmpty && keyboard.untyped == 3)
    }

    @Test("the keypad's digits are typed there, with Num Lock") func keypad() {
        var keyboard = VirtualKeyboard()
        #expect(
            keyboard.press("7", usage: 0x5F)
                == [.modifiers(depressed: 0, locked: Modifier.num), .key(79, isDown: true)])
        #expect(VirtualKeymap.place(of: "7", at: nil)?.code == 16)
        #expect(VirtualKeymap.place(of: "+", at: 86)?.code == 86)
    }

    @Test("lock keys change the locks, and a viewer's locks are taken over") func locks() {
        var keyboard = VirtualKeyboard()
        #expect(
            keyboard.key(usage: 0x39, isDown: true)
                == [.key(66, isDown: true), .modifiers(depressed: 0, locked: Modifier.lock)])
        _ = keyboard.key(usage: 0x39, isDown: false)
        #expect(
            keyboard.setLocks(LockState(caps: false, num: true)) == [.modifiers(depressed: 0, locked: Modifier.num)])
        #expect(keyboard.setLocks(LockState(caps: nil, num: nil)).isEmpty)
    }

    @Test("what is down is let go at the end, and repeats end before") func ends() {
        var keyboard = VirtualKeyboard()
        #expect(keyboard.stopRepeating().isEmpty)
        _ = keyboard.key(usage: 0xE1, isDown: true)
        _ = keyboard.press("b", usage: 0x05)
        let mute = VirtualKeymap.mute
        #expect(keyboard.stopRepeating() == [.key(mute, isDown: true), .key(mute, isDown: false)])
        #expect(keyboard.releaseAll().prefix(2) == [.key(50, isDown: false), .key(56, isDown: false)])
        #expect(keyboard.releaseAll().isEmpty)
    }
}
