import CSDL2
import HelioCore
import HelioGround
import HelioLinuxSource
import HelioTestLanes
import HelioTestPrograms
import HelioWindow
import Testing

@testable import HelioLinuxSink

/// The effects of pointers, keyboards and drags on the viewer's window in a session of sway.
@Suite("Input of the window on Wayland", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct SwayInputTests {
    private static let small = PixelSize(width: 320, height: 200)

    /// Opens a window that shows a picture and has the keyboard, with the pointer over it.
    private static func openUnderPointer(
        _ session: SwaySession, _ input: WlrInjector, _ change: (inout WindowOptions) -> Void = { _ in }
    ) throws -> ViewerWindow {
        let window = try session.open(small, change)
        try window.show(try TestPicture.noise(small, seed: 1), damage: nil)
        input.movePointer(toX: 100, y: 100)
        input.flush()
        try SwaySession.wait(for: "keyboard and pointer", window) { _ in
            SDL_GetKeyboardFocus() == window.window && window.isPointerOverPicture
        }
        return window
    }

    @Test("buttons, wheel, keys by place and by character, and locks arrive, and a locked pointer's motion")
    func input() throws {
        let session = try SwaySession(Self.small)
        let input = try WlrInjector(path: session.sway.socket)
        let window = try Self.openUnderPointer(session, input)
        for button in [PointerButton.left, .right, .middle, .back, .forward] {
            input.button(button, isDown: true)
            input.button(button, isDown: false)
            input.flush()
            try SwaySession.expect([.button(button, isDown: true), .button(button, isDown: false)], window)
        }
        input.scroll(dx: 0, dy: -120)
        input.flush()
        try SwaySession.expect([.scrolled(dx: 0, dy: -120)], window)
        input.key(usage: 0x04, isDown: true)
        input.key(usage: 0x04, isDown: false)
        input.flush()
        try SwaySession.expect([.character("a", usage: 0x04), .key(usage: 0x04, modifiers: 0, isDown: false)], window)
        input.setLocks(LockState(caps: true, num: true))
        input.flush()
        try SwaySession.expect([.locks(LockState(caps: true, num: true))], window)
        input.setLocks(LockState(caps: false, num: false))
        input.flush()
        try SwaySession.expect([.locks(LockState(caps: false, num: false))], window)

        window.setKeys(.place)
        input.key(usage: 0xE1, isDown: true)
        input.key(usage: 0x1D, isDown: true)
        input.key(usage: 0x1D, isDown: false)
        input.key(usage: 0xE1, isDown: false)
        input.flush()
        try SwaySession.expect(
            [
                .key(usage: 0xE1, modifiers: 2, isDown: true), .key(usage: 0x1D, modifiers: 2, isDown: true),
                .key(usage: 0x1D, modifiers: 2, isDown: false), .key(usage: 0xE1, modifiers: 0, isDown: false),
            ], window)

        window.setPointerLocked(true)
        #expect(window.isPointerLocked)
        _ = try window.wait(until: MonotonicClock.now)
        input.movePointer(byX: 700, y: -5)
        input.flush()
        try SwaySession.expect([.pointerMovedBy(dx: 700, dy: -5)], window)
        window.setPointerLocked(false)
    }

    @Test("a key is the character of this machine's layout: with AltGr, with a dead key, in other letters")
    func layouts()
        throws
    {
        let session = try SwaySession(Self.small)
        let input = try WlrInjector(path: session.sway.socket)
        let window = try Self.openUnderPointer(session, input)
        let german = try LayoutKeyboard(session, layout: "de")
        for (usage, character) in [(0x1D as UInt16, "y" as Unicode.Scalar), (0x2D, "ß")] {
            try german.strike(usage)
            try SwaySession.expect(
                [.character(character, usage: usage), .key(usage: usage, modifiers: 0, isDown: false)], window)
        }
        // AltGr and Q, and a circumflex before E: neither AltGr nor the dead key is sent.
        try german.key(0xE6, isDown: true)
        try german.strike(0x14)
        try german.key(0xE6, isDown: false)
        try german.strike(0x35)
        try german.strike(0x08)
        var seen: [WindowInput] = []
        try SwaySession.wait(for: "letter with an accent", window) { events in
            seen = events.compactMap { if case .input(let input) = $0 { input } else { nil } }
            return seen.contains(.key(usage: 0x08, modifiers: 0, isDown: false))
        }
        #expect(
            seen == [
                .character("@", usage: 0x14), .key(usage: 0x14, modifiers: 0, isDown: false),
                .character("ê", usage: 0x08), .key(usage: 0x08, modifiers: 0, isDown: false),
            ])
        let russian = try LayoutKeyboard(session, layout: "ru")
        try russian.strike(0x14)
        try SwaySession.expect([.character("й", usage: 0x14)], window)
    }

    @Test("the session's own shortcuts go to the host while the keyboard is grabbed, and only then")
    func shortcuts() throws {
        let session = try SwaySession(Self.small)
        let input = try WlrInjector(path: session.sway.socket)
        let window = try Self.openUnderPointer(session, input) { $0.keys = .place }
        try session.sway.order("bindsym F9 mark --add heard")
        func press() {
            input.key(usage: 0x42, isDown: true)
            input.key(usage: 0x42, isDown: false)
            input.flush()
        }
        window.setGrabsKeyboard(true)
        _ = try window.wait(until: MonotonicClock.now)
        press()
        try SwaySession.expect([.key(usage: 0x42, modifiers: 0, isDown: true)], window)
        #expect(try session.sway.tree().windows.first?.marks == [])
        window.setGrabsKeyboard(false)
        _ = try window.wait(until: MonotonicClock.now)
        press()
        try SwaySession.wait(for: "shortcut", window) { _ in
            try session.sway.tree().windows.first?.marks == ["heard"]
        }
    }

    /// A script of GTK's: a window that gives a file's address to where it is dragged.
    private static let dragSource = """
        import gi, sys
        gi.require_version('Gtk', '3.0')
        from gi.repository import Gtk, Gdk
        window = Gtk.Window(title='source')
        box = Gtk.EventBox()
        window.add(box)
        box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
        box.drag_source_add_uri_targets()
        box.connect('drag-data-get', lambda w, c, data, i, t: data.set_uris([sys.argv[1]]))
        box.connect('drag-begin', lambda w, c: print('dragging'))
        box.add_events(Gdk.EventMask.ENTER_NOTIFY_MASK)
        box.connect('enter-notify-event', lambda w, e: print('pointed at'))
        window.show_all()
        Gtk.main()
        """

    @Test("a file that is dropped on the window is told by its path") func drop() throws {
        let session = try SwaySession(PixelSize(width: 640, height: 200))
        let input = try WlrInjector(path: session.sway.socket)
        let window = try session.open(Self.small)
        let source = try session.sway.start(
            "/usr/bin/python3", ["-u", "-c", Self.dragSource, "file:///tmp/a%20file.txt"],
            environment: ["GDK_BACKEND": "wayland", "NO_AT_BRIDGE": "1", "HOME": "/tmp"])
        var x = 480
        try SwaySession.wait(for: "source beside the window", window) { _ in
            x = 960 - x + 1
            input.movePointer(toX: x, y: 100)
            input.flush()
            return window.layout.window.width == 320 && source.text.contains("pointed at")
        }
        input.button(.left, isDown: true)
        input.flush()
        // Until the program takes it for a drag.
        try SwaySession.wait(for: "drag", window) { _ in
            x = max(340, x - 10)
            input.movePointer(toX: x, y: 100)
            input.flush()
            return source.text.contains("dragging")
        }
        for x in stride(from: 330, through: 100, by: -10) {
            input.movePointer(toX: x, y: 100)
            input.flush()
            _ = try window.wait(until: MonotonicClock.now + .milliseconds(20))
        }
        input.button(.left, isDown: false)
        input.flush()
        try SwaySession.wait(for: "drop", window) { $0.contains(.dropped("/tmp/a file.txt")) }
    }
}
