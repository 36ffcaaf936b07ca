import CXCB
package import Foundation
package import HelioCore

/// A separate X server on a free display, with drawing and screenshots; ends with this object.
package final class Desktop {
    package struct NoDisplay: Error {}

    package let display: String
    private let process = Process()
    let connection: OpaquePointer
    let root: xcb_window_t

    /// - Parameter options: additional options of `Xvfb`.
    package init(_ size: PixelSize, options: [String] = []) throws {
        let number = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
        process.arguments =
            ["-displayfd", "1", "-screen", "0", "\(size)x24", "-nolisten", "tcp", "-noreset", "+extension", "RANDR"]
            + options
        process.standardOutput = number
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        let patience = Patience()
        while !text.contains("\n") {
            guard patience.waitToRead(number.fileHandleForReading.fileDescriptor) else { throw NoDisplay() }
            let data = number.fileHandleForReading.availableData
            if data.isEmpty { throw NoDisplay() }
            text += String(decoding: data, as: UTF8.self)
        }
        display = ":" + text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let connection = xcb_connect(display, nil), xcb_connection_has_error(connection) == 0,
            let setup = xcb_get_setup(connection)
        else { throw NoDisplay() }
        self.connection = connection
        root = xcb_setup_roots_iterator(setup).data.pointee.root
    }

    deinit {
        xcb_disconnect(connection)
        kill()
    }

    /// Kills the server, and with it the display of all its programs.
    package func kill() {
        if process.isRunning {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Sends the server a signal, for example to stop or continue it.
    package func send(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

    /// Fills rectangles of the screen over all windows, and waits for completion.
    package func fill(_ patches: [(color: UInt32, rect: PixelRect)]) {
        let gc = xcb_generate_id(connection)
        let mode: [UInt32] = [XCB_SUBWINDOW_MODE_INCLUDE_INFERIORS.rawValue]
        xcb_create_gc(connection, gc, root, XCB_GC_SUBWINDOW_MODE.rawValue, mode)
        for patch in patches {
            xcb_change_gc(connection, gc, XCB_GC_FOREGROUND.rawValue, [patch.color])
            var rect = xcb_rectangle_t(
                x: Int16(patch.rect.x), y: Int16(patch.rect.y), width: UInt16(patch.rect.width),
                height: UInt16(patch.rect.height))
            xcb_poly_fill_rectangle(connection, root, gc, 1, &rect)
        }
        xcb_free_gc(connection, gc)
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
    }

    /// The keycodes that the server considers pressed.
    package var keysDown: [Int] {
        get throws {
            guard let reply = xcb_query_keymap_reply(connection, xcb_query_keymap(connection), nil) else {
                throw NoDisplay()
            }
            defer { free(reply) }
            return withUnsafeBytes(of: reply.pointee.keys) { keys in
                (0..<256).filter { keys[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
            }
        }
    }

    /// Returns the screen's pixels, without the pointer.
    ///
    /// - Parameter at: the top left corner of the captured part.
    package func screenshot(_ size: PixelSize, at place: (x: Int, y: Int) = (0, 0)) throws -> Screenshot {
        let cookie = xcb_get_image(
            connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), root, Int16(place.x), Int16(place.y),
            UInt16(size.width), UInt16(size.height), ~0)
        guard let reply = xcb_get_image_reply(connection, cookie, nil) else { throw NoDisplay() }
        defer { free(reply) }
        let bytes = UnsafeBufferPointer(start: xcb_get_image_data(reply), count: size.area * 4)
        return Screenshot(size: size, bgrx: Array(bytes))
    }

    /// Checks a condition, and checks it again after each drawing on this screen; returns false after the time-out.
    ///
    /// - Parameter holds: the condition, which depends only on this screen and on constant state.
    package func wait(_ patience: Patience = Patience(), until holds: () throws -> Bool) throws -> Bool {
        let changes = try ScreenChanges(display)
        while true {
            changes.forget()
            if try holds() { return true }
            if patience.isOver || !changes.wait(patience) { return false }
        }
    }

    /// Starts openbox and waits until it manages windows: a window mapped just before may never be shown.
    package func startWindowManager() throws -> RunningProgram {
        let manager = try start("openbox", ["--startup", "echo openbox is ready"])
        try manager.line(with: "openbox is ready")
        return manager
    }

    /// Starts a program on this display.
    package func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        standardInput: FileHandle = .nullDevice
    ) throws -> RunningProgram {
        try RunningProgram(
            program, arguments,
            environment: environment.merging(
                // Programs must not open windows in the Wayland session in which the tests may run.
                ["DISPLAY": display, "WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": "x11"]
            ) { first, _ in first },
            standardInput: standardInput)
    }

    /// Starts `xev` in a window of this size at the top left, and waits until the window is mapped: an earlier click
    /// would be sent to the root window.
    ///
    /// - Parameter events: the events to print, as arguments of `xev -event`.
    package func startClient(_ size: PixelSize, events: [String]) throws -> RunningProgram {
        let wanted = (events + ["structure"]).flatMap { ["-event", $0] }
        let client = try start("stdbuf", ["-oL", "xev", "-geometry", "\(size)+0+0"] + wanted)
        try client.line(with: "MapNotify")
        return client
    }

    /// Runs a program until it exits.
    package func run(_ program: String, _ arguments: String...) throws {
        let running = try start(program, arguments)
        _ = running.waitUntilExit()
    }
}
