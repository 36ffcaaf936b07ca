import CXCB
import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioWayland
import Testing

@testable import HelioLinuxSource

/// A window that gets all input, and records the events.
final class InputWindow {
    private let server: XServer
    private let window: xcb_window_t

    init(_ server: XServer) {
        self.server = server
        window = xcb_generate_id(server.connection)
        let mask =
            XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_KEY_RELEASE.rawValue
            | XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
        xcb_create_window(
            server.connection, 24, window, server.root, 0, 0, 640, 400, 0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, XCB_CW_EVENT_MASK.rawValue, [mask])
        xcb_map_window(server.connection, window)
        xcb_set_input_focus(server.connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window, 0)
        server.sync()
    }

    /// The type and detail of each event so far.
    func events() throws -> [[Int]] {
        server.sync()
        var events: [[Int]] = []
        while let event = xcb_poll_for_event(server.connection) {
            let type = Int(event.pointee.response_type & 0x7F)
            if (2...5).contains(type) { events.append([type, Int(event.pointee.pad0)]) }
            free(event)
        }
        return events
    }
}

@Suite(.serialized, .tags(.quiet)) struct XTestInjectorTests {
    @Test func buttonsWheelAndKeys() throws {
        let server = try XServer()
        let window = InputWindow(server)
        let injector = try XTestInjector(display: server.display)
        injector.movePointer(toX: 50, y: 50)
        for button in PointerButton.allCases {
            injector.button(button, isDown: true)
            injector.button(button, isDown: false)
        }
        Self.settle(injector)
        #expect(try window.events() == [1, 2, 3, 8, 9].flatMap { [[4, $0], [5, $0]] })

        // Partial detents accumulate; a change of direction discards them.
        injector.scroll(dx: 0, dy: 60)
        injector.scroll(dx: 0, dy: 60)
        injector.scroll(dx: 0, dy: 100)
        injector.scroll(dx: 0, dy: -240)
        injector.scroll(dx: 120, dy: 0)
        injector.scroll(dx: -120, dy: 0)
        Self.settle(injector)
        #expect(try window.events() == [4, 5, 5, 7, 6].flatMap { [[4, $0], [5, $0]] })

        // A, Enter, left, right GUI; a usage that does not exist.
        for usage: UInt16 in [0x04, 0x28, 0x50, 0xE7, 0x03, 0x82, 0xFFFF] {
            injector.key(usage: usage, isDown: true)
            injector.key(usage: usage, isDown: false)
        }
        Self.settle(injector)
        #expect(try window.events() == [38, 36, 113, 134].flatMap { [[2, $0], [3, $0]] })
    }

    @Test func whatIsHeldIsLetGo() throws {
        let server = try XServer()
        let window = InputWindow(server)
        var injector: XTestInjector? = try XTestInjector(display: server.display)
        injector?.movePointer(toX: 50, y: 50)
        injector?.key(usage: 0xE1, isDown: true)
        injector?.button(.left, isDown: true)
        injector?.flush()
        injector = nil
        _ = try server.run("xdotool", "getmouselocation")
        let events = try window.events()
        #expect(events == [[2, 50], [4, 1], [3, 50], [5, 1]])
    }

    @Test func usagesAreKeycodes() {
        // HID usages and X keycodes as `xev` shows them on a PC keyboard.
        let known: [(UInt16, UInt8?)] = [
            (0x04, 38), (0x1D, 52), (0x1E, 10), (0x27, 19), (0x28, 36), (0x29, 9), (0x2A, 22), (0x2B, 23), (0x2C, 65),
            (0x2D, 20), (0x31, 51), (0x33, 47), (0x35, 49), (0x38, 61), (0x39, 66), (0x3A, 67), (0x45, 96), (0x46, 107),
            (0x48, 127), (0x49, 118), (0x4A, 110), (0x4C, 119), (0x4E, 117), (0x4F, 114), (0x52, 111), (0x53, 77),
            (0x58, 104), (0x59, 87), (0x61, 81), (0x62, 90), (0x63, 91), (0x64, 94), (0x65, 135), (0x68, 191),
            (0x7F, 121),
            (0x80, 123), (0x81, 122), (0x82, nil), (0x87, 97), (0x89, 132), (0x90, 130), (0x94, 93), (0x95, nil),
            (0xE0, 37), (0xE1, 50), (0xE2, 64), (0xE3, 133), (0xE4, 105), (0xE5, 62), (0xE6, 108), (0xE7, 134),
            (0x00, nil), (0x03, nil), (0xE8, nil), (0xFFFF, nil),
        ]
        for (usage, keycode) in known { #expect(EvdevKeycodes.keycode(usage: usage) == keycode, "usage \(usage)") }
    }

    /// A real terminal writes the typed text to a file.
    @Test(arguments: [
        "Hello, World! 0123456789 ~`!@#$%^&*()_+-={}[]|\\:;\"'<>,.?/", "Grüße für 5 € – “schön” æøå ñ Ω Жизнь 日本語 😀",
        "UPPER lower UPPER", String(String.UnicodeScalarView((0x4E00..<0x4E60).compactMap(Unicode.Scalar.init))),
    ]) func typedTextArrives(_ text: String) throws {
        let server = try XServer()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let terminal = Process()
        terminal.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        terminal.arguments = [
            "LC_ALL=C.UTF-8", "DISPLAY=\(server.display)", "xterm", "-u8", "-e",
            "sh", "-c",
            "echo ready > \(file.path).on; read -r line; printf %s \"$line\" > \(file.path).part; mv \(file.path).part \(file.path)",
        ]
        terminal.standardError = FileHandle.nullDevice
        try terminal.run()
        defer {
            terminal.terminate()
            try? FileManager.default.removeItem(atPath: file.path + ".on")
        }
        try wait { FileManager.default.fileExists(atPath: file.path + ".on") }
        _ = try server.run("xdotool", "mousemove", "100", "100")
        let injector = try XTestInjector(display: server.display)
        injector.type(text + "\n")
        injector.flush()
        try wait { FileManager.default.fileExists(atPath: file.path) }
        let typed = try String(contentsOf: file, encoding: .utf8)
        #expect(typed == text)
    }

    @Test func capsLockTurnsLettersOnly() throws {
        let server = try XServer()
        let window = InputWindow(server)
        let injector = try XTestInjector(display: server.display)
        injector.key(usage: 0x39, isDown: true)
        injector.key(usage: 0x39, isDown: false)
        Self.settle(injector)
        _ = try window.events()
        injector.type("aA1")
        Self.settle(injector)
        // 'a' needs Shift now, 'A' doesn't, and '1' is unchanged.
        #expect(
            try window.events() == [[2, 50], [2, 38], [3, 38], [3, 50], [2, 38], [3, 38], [2, 10], [3, 10]])
    }

    private static let aKey: UInt16 = 0x04
    private static let leftShift: UInt16 = 0xE1

    /// The events of an injector's input, after all earlier requests to the server.
    private func events(_ server: XServer, _ window: InputWindow, _ injector: XTestInjector) throws -> [[Int]] {
        Self.settle(injector)
        return try window.events()
    }

    /// Returns once the server has executed all of the injector's requests. A round trip of another client is not
    /// enough: the server may serve that one first, several times.
    static func settle(_ injector: XTestInjector) {
        injector.flush()
        free(xcb_get_input_focus_reply(injector.x.raw, xcb_get_input_focus(injector.x.raw), nil))
    }

    @Test("a character is the key at its place where that makes it, else another, and held as long")
    func characters() throws {
        let server = try XServer()
        let window = InputWindow(server)
        let injector = try XTestInjector(display: server.display)
        injector.press("a", usage: Self.aKey)
        #expect(try events(server, window, injector) == [[2, 38]])
        injector.press("z", usage: 0x1C)
        injector.key(usage: 0x1C, isDown: false)
        injector.key(usage: Self.aKey, isDown: false)
        #expect(try events(server, window, injector) == [[2, 52], [3, 52], [3, 38]])
        // A character that needs Shift gets it while held; one that must not have Shift is pressed without.
        injector.press("?", usage: 0x2D)
        #expect(try events(server, window, injector) == [[2, 50], [2, 61]])
        injector.key(usage: 0x2D, isDown: false)
        #expect(try events(server, window, injector) == [[3, 61], [3, 50]])
        injector.key(usage: Self.leftShift, isDown: true)
        injector.press("/", usage: 0x24)
        injector.key(usage: 0x24, isDown: false)
        injector.press("A", usage: Self.aKey)
        injector.key(usage: Self.aKey, isDown: false)
        injector.key(usage: Self.leftShift, isDown: false)
        #expect(
            try events(server, window, injector) == [
                [2, 50], [3, 50], [2, 61], [3, 61], [2, 50], [2, 38], [3, 38], [3, 50],
            ])
        // A Shift that was released meanwhile stays up.
        injector.key(usage: Self.leftShift, isDown: true)
        injector.press("/", usage: 0x24)
        injector.key(usage: Self.leftShift, isDown: false)
        injector.key(usage: 0x24, isDown: false)
        #expect(try events(server, window, injector) == [[2, 50], [3, 50], [2, 61], [3, 61]])
    }

    @Test("locks are set, whatever they were, and a character arrives whichever are on")
    func locks() throws {
        let server = try XServer()
        let window = InputWindow(server)
        let injector = try XTestInjector(display: server.display)
        for (caps, num) in [(true, true), (true, true), (false, true), (nil, false), (true, nil)] as [(Bool?, Bool?)] {
            injector.setLocks(LockState(caps: caps, num: num))
        }
        Self.settle(injector)
        let first = try server.locks()
        #expect(first == 0x02)
        // With Caps Lock, a capital letter needs no Shift; a character outside the layout would become a capital.
        injector.press("A", usage: Self.aKey)
        injector.key(usage: Self.aKey, isDown: false)
        #expect(try events(server, window, injector) == [[2, 38], [3, 38]])
        injector.press("ö", usage: 0x33)
        Self.settle(injector)
        let unlocked = try server.locks()
        #expect(unlocked == 0)
        injector.key(usage: 0x33, isDown: false)
        Self.settle(injector)
        let restored = try server.locks()
        #expect(restored == 0x02)
        injector.setLocks(LockState(caps: false, num: true))
        Self.settle(injector)
        let changed = try server.locks()
        #expect(changed == 0x10)
    }

    @Test("repeating ends, and the key stays down")
    func repeating() throws {
        let server = try XServer()
        let window = InputWindow(server)
        let injector = try XTestInjector(display: server.display)
        _ = try server.run("xset", "r", "rate", "100", "100")
        injector.key(usage: Self.aKey, isDown: true)
        injector.flush()
        for _ in 0..<2 { try wait { (try? window.events().contains([2, 38])) == true } }
        injector.stopRepeating()
        _ = try events(server, window, injector)
        // Ten repeats would occur in this time.
        #expect(!Patience(.milliseconds(100)).wait { (try? window.events().contains([2, 38])) == true })
        injector.key(usage: Self.aKey, isDown: false)
        #expect(try events(server, window, injector) == [[3, 38]])
    }

    @Test("a button is what it is to programs, whatever the host's were exchanged for")
    func exchangedButtons() throws {
        let server = try XServer()
        let window = InputWindow(server)
        let injector = try XTestInjector(display: server.display)
        injector.movePointer(toX: 50, y: 50)
        injector.flush()
        // The server rejects a new button mapping while a button is down.
        _ = try server.run("xmodmap", "-e", "pointer = 3 2 1 5 4 6 7 8 9 10")
        _ = try events(server, window, injector)
        for button in PointerButton.allCases {
            injector.button(button, isDown: true)
            injector.button(button, isDown: false)
        }
        injector.scroll(dx: 0, dy: 120)
        #expect(try events(server, window, injector) == [1, 2, 3, 8, 9, 4].flatMap { [[4, $0], [5, $0]] })
    }

    /// Waits for an effect of another process.
    private func wait(_ condition: () -> Bool) throws {
        guard Patience().wait(until: condition) else {
            throw CommandLineTool.Failure(description: "waited in vain")
        }
    }
}
