import CKeyGuard
import CXCB
import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxSource

/// The process that releases the keys held by a killed one, on a real X server.
@Suite("The guard of held keys", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct KeyGuardTests {
    /// A guard process, and the socket to it.
    private final class Guard {
        let process: Int32
        private(set) var socket: Int32 = -1

        init(_ display: String) throws {
            var socket: Int32 = -1
            process = helio_key_guard_start(display, &socket)
            try #require(process > 0)
            self.socket = socket
        }

        deinit { if socket >= 0 { helio_key_guard_stop(process, socket) } }

        func tell(_ kind: helio_key_guard_message, _ body: [UInt8]) {
            let message = [UInt8(kind.rawValue)] + body
            #expect(helio_key_guard_tell(socket, message, message.count) != 0)
        }

        /// Closes the socket, as the system does for a killed process; returns the guard's exit status.
        func hangUp() throws -> Int32 {
            close(socket)
            socket = -1
            var status: Int32 = -1
            let hasEnded = Patience().wait { waitpid(process, &status, WNOHANG) != 0 }
            try #require(hasEnded, "the guard does not end")
            return status
        }

        /// Waits until the guard has replaced the forked copy of its parent.
        func waitUntilStarted() throws {
            let hasStarted = Patience().wait {
                (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) == "heliograph-key-\n"
            }
            try #require(hasStarted, "the guard does not start")
        }
    }

    private static func keysDown(_ server: XServer) throws -> [Int] {
        let reply = try #require(xcb_query_keymap_reply(server.connection, xcb_query_keymap(server.connection), nil))
        defer { free(reply) }
        return withUnsafeBytes(of: reply.pointee.keys) { keys in
            (0..<256).filter { keys[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
        }
    }

    private static func isButtonDown(_ server: XServer) throws -> Bool {
        let cookie = xcb_query_pointer(server.connection, server.root)
        let reply = try #require(xcb_query_pointer_reply(server.connection, cookie, nil))
        defer { free(reply) }
        return reply.pointee.mask & 0x1F00 != 0
    }

    @Test("who hangs up has the keys and buttons released that it held last, and no others")
    func heldKeysAreReleased() throws {
        let server = try XServer()
        // Held by another client: they must stay pressed.
        xcb_test_fake_input(server.connection, UInt8(XCB_KEY_PRESS), 40, 0, server.root, 0, 0, 0)
        for key in [38, 50] as [UInt8] {
            xcb_test_fake_input(server.connection, UInt8(XCB_KEY_PRESS), key, 0, server.root, 0, 0, 0)
        }
        xcb_test_fake_input(server.connection, UInt8(XCB_BUTTON_PRESS), 1, 0, server.root, 0, 0, 0)
        server.sync()
        #expect(try Self.keysDown(server) == [38, 40, 50])
        let guardian = try Guard(server.display)
        var held = HeldKeys()
        for key in [38, 40, 50] as [UInt8] { held.set(key: key, isDown: true) }
        held.set(button: 1, isDown: true)
        guardian.tell(HELIO_KEY_GUARD_HELD, held.bits)
        held.set(key: 40, isDown: false)
        guardian.tell(HELIO_KEY_GUARD_HELD, held.bits)
        // The guard reads messages sent before the end first, even if it had just started.
        #expect(try guardian.hangUp() == 0)
        #expect(try Self.keysDown(server) == [40])
        #expect(try !Self.isButtonDown(server))
    }

    @Test("keys that were lent to characters mean again what they did")
    func meaningsAreRestored() throws {
        let server = try XServer()
        func meaning(of key: UInt8) throws -> [xcb_keysym_t] {
            let cookie = xcb_get_keyboard_mapping(server.connection, key, 1)
            let reply = try #require(xcb_get_keyboard_mapping_reply(server.connection, cookie, nil))
            defer { free(reply) }
            let count = Int(reply.pointee.keysyms_per_keycode)
            return Array(UnsafeBufferPointer(start: xcb_get_keyboard_mapping_keysyms(reply), count: count))
        }
        let key: UInt8 = 172
        let before = try meaning(of: key)
        try #require(before.contains { $0 != 0 })
        let guardian = try Guard(server.display)
        guardian.tell(
            HELIO_KEY_GUARD_MEANINGS,
            [key, UInt8(before.count)] + before.flatMap { keysym in withUnsafeBytes(of: keysym) { Array($0) } })
        xcb_change_keyboard_mapping(server.connection, 1, key, 2, [0x0100_65E5, 0x0100_672C])
        #expect(try meaning(of: key)[0] == 0x0100_65E5)
        #expect(try guardian.hangUp() == 0)
        #expect(try Array(meaning(of: key).prefix(2)) == Array(before.prefix(2)))
    }

    @Test("the guard has nothing of who started it, and outlives what ends that one")
    func isAlone() throws {
        let server = try XServer()
        setenv("HELIOGRAPH_TEST_SECRET", "sesame", 1)
        defer { unsetenv("HELIOGRAPH_TEST_SECRET") }
        // A file opened carelessly, without close-on-exec.
        let secret = open("/etc/hostname", O_RDONLY)
        defer { close(secret) }
        let guardian = try Guard(server.display)
        try guardian.waitUntilStarted()
        let process = "/proc/\(guardian.process)"
        let environment = try String(contentsOfFile: process + "/environ", encoding: .utf8)
        let names = environment.split(separator: "\0").map { String($0.prefix { $0 != "=" }) }
        #expect(Set(names).isSubset(of: ["DISPLAY", "XAUTHORITY", "HOME", "LD_LIBRARY_PATH"]), "\(names)")
        let files = try FileManager.default.contentsOfDirectory(atPath: process + "/fd").map { number in
            try FileManager.default.destinationOfSymbolicLink(atPath: process + "/fd/" + number)
        }
        // The message socket, and the X connection.
        #expect(files.filter { $0.hasPrefix("socket:") }.count <= 2, "\(files)")
        #expect(files.filter { !$0.hasPrefix("socket:") }.allSatisfy { $0 == "/dev/null" }, "\(files)")
        #expect(getsid(guardian.process) == guardian.process)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { kill(guardian.process, signal) }
        #expect(try guardian.hangUp() == 0)
    }

    @Test("what is held is a bit each")
    func bits() throws {
        var held = HeldKeys()
        #expect(held.keys.isEmpty && held.buttons.isEmpty)
        for key in [0, 7, 8, 255] as [UInt8] { held.set(key: key, isDown: true) }
        held.set(button: 9, isDown: true)
        #expect(held.keys == [0, 7, 8, 255] && held.buttons == [9])
        var other = HeldKeys()
        other.set(key: 9, isDown: true)
        #expect(held.union(other).keys == [0, 7, 8, 9, 255])
        held.set(key: 8, isDown: false)
        held.set(button: 9, isDown: false)
        #expect(held.keys == [0, 7, 255] && held.buttons.isEmpty)
        #expect(held.bits.count == 36)
    }
}
