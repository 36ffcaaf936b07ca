import HelioCore
import HelioDesktop
import Testing

@testable import HelioLinuxSource

/// The input that a desktop is sent for keys and characters.
@Suite("The keyboard of a desktop's session") struct DesktopKeyboardTests {
    private static let shift: UInt16 = 0xE1

    @Test("a key goes by its place, a character by its keysym") func keys() {
        var keyboard = DesktopKeyboard()
        #expect(keyboard.key(usage: 0x04, isDown: true) == [.key(30, isDown: true)])
        #expect(keyboard.key(usage: 0x04, isDown: false) == [.key(30, isDown: false)])
        #expect(keyboard.key(usage: 0x04, isDown: false).isEmpty && keyboard.key(usage: 0xFFFF, isDown: true).isEmpty)
        for (character, keysym) in [("a", 0x61), ("é", 0xE9), ("€", 0x100_20AC), ("😀", 0x101_F600), ("\n", 0xFF0D)] {
            let scalar = character.unicodeScalars.first!
            #expect(keyboard.press(scalar, usage: 0x08) == [.keysym(UInt32(keysym), isDown: true)])
            #expect(keyboard.key(usage: 0x08, isDown: false) == [.keysym(UInt32(keysym), isDown: false)])
        }
        #expect(keyboard.press("\u{1}", usage: 0x08).isEmpty)
    }

    @Test("the viewer's Shift and AltGr are up for a character, and down again after it") func lifted() {
        var keyboard = DesktopKeyboard()
        _ = keyboard.key(usage: Self.shift, isDown: true)
        #expect(keyboard.press("/", usage: 0x24) == [.key(42, isDown: false), .keysym(0x2F, isDown: true)])
        #expect(keyboard.key(usage: 0x24, isDown: false) == [.keysym(0x2F, isDown: false), .key(42, isDown: true)])
        #expect(
            keyboard.type("a") == [
                .key(42, isDown: false), .keysym(0x61, isDown: true), .keysym(0x61, isDown: false),
                .key(42, isDown: true),
            ])
        // Keys that the viewer lets go of meanwhile are not pressed again.
        _ = keyboard.press("/", usage: 0x24)
        #expect(keyboard.key(usage: Self.shift, isDown: false).isEmpty)
        #expect(keyboard.key(usage: 0x24, isDown: false) == [.keysym(0x2F, isDown: false)])
    }

    @Test("locks that differ are pressed, and letters have the other case while Caps Lock is on") func locks() {
        var keyboard = DesktopKeyboard()
        #expect(keyboard.setLocks(LockState(caps: true, num: true), now: nil).isEmpty)
        #expect(
            keyboard.setLocks(LockState(caps: true, num: true), now: (false, true)) == [
                .key(58, isDown: true), .key(58, isDown: false),
            ])
        #expect(keyboard.type("aß1").first == .keysym(0x41, isDown: true))
        #expect(keyboard.press("B", usage: 5) == [.keysym(0x62, isDown: true)])
        #expect(keyboard.setLocks(LockState(), now: (true, true)).isEmpty)
    }

    @Test("what repeats is let go when the viewer is silent, and all at the end") func ends() {
        var keyboard = DesktopKeyboard()
        _ = keyboard.key(usage: Self.shift, isDown: true)
        _ = keyboard.key(usage: 0x04, isDown: true)
        #expect(keyboard.stopRepeating() == [.key(30, isDown: false)])
        #expect(keyboard.stopRepeating().isEmpty)
        #expect(keyboard.releaseAll() == [.key(42, isDown: false)])
    }
}
