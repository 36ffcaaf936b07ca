import CXCB
import Foundation
import Glibc
import HelioTestPrograms

/// A separate X server on a free display; it ends with this object.
final class XServer {
    let display: String
    private let process = Process()
    /// The test's own connection, for drawing and queries.
    let connection: OpaquePointer
    let root: xcb_window_t

    init(width: Int = 640, height: Int = 400, depth: Int = 24, extensions: [String] = []) throws {
        let number = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
        process.arguments =
            ["-displayfd", "1", "-screen", "0", "\(width)x\(height)x\(depth)", "-nolisten", "tcp", "-noreset"]
            + extensions
        process.standardOutput = number
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        let patience = Patience()
        while !text.contains("\n") {
            guard patience.waitToRead(number.fileHandleForReading.fileDescriptor) else { throw XServerError.noDisplay }
            let data = number.fileHandleForReading.availableData
            if data.isEmpty { throw XServerError.noDisplay }
            text += String(decoding: data, as: UTF8.self)
        }
        display = ":" + text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let connection = xcb_connect(display, nil), xcb_connection_has_error(connection) == 0,
            let setup = xcb_get_setup(connection)
        else { throw XServerError.noDisplay }
        self.connection = connection
        root = xcb_setup_roots_iterator(setup).data.pointee.root
    }

    deinit {
        xcb_disconnect(connection)
        kill()
    }

    func kill() {
        if process.isRunning {
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// The active modifiers and locks, as the core protocol's mask.
    func locks() throws -> Int { try pointer() & 0xFF }

    /// The mask of the pressed buttons; button 1 is the lowest bit.
    func buttons() throws -> Int { try pointer() >> 8 }

    private func pointer() throws -> Int {
        guard let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, root), nil) else {
            throw XServerError.noDisplay
        }
        defer { free(reply) }
        return Int(reply.pointee.mask)
    }

    /// Fills a rectangle of the root window, and waits for completion.
    func fill(_ color: UInt32, x: Int, y: Int, width: Int, height: Int) {
        let gc = xcb_generate_id(connection)
        // Draws over all windows.
        let values: [UInt32] = [color, UInt32(XCB_SUBWINDOW_MODE_INCLUDE_INFERIORS.rawValue)]
        xcb_create_gc(
            connection, gc, root, XCB_GC_FOREGROUND.rawValue | XCB_GC_SUBWINDOW_MODE.rawValue, values)
        var rect = xcb_rectangle_t(x: Int16(x), y: Int16(y), width: UInt16(width), height: UInt16(height))
        xcb_poly_fill_rectangle(connection, root, gc, 1, &rect)
        xcb_free_gc(connection, gc)
        sync()
    }

    /// Runs `body` while the server executes only this connection's requests (a server grab).
    func alone(_ body: () throws -> Void) rethrows {
        xcb_grab_server(connection)
        defer {
            xcb_ungrab_server(connection)
            xcb_flush(connection)
        }
        try body()
    }

    /// Waits until the server has executed all requests of this connection.
    func sync() {
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
    }

    /// Runs a client program until it exits, and returns its output.
    @discardableResult
    func run(_ arguments: String...) throws -> String {
        try CommandLineTool.run(arguments, environment: ["DISPLAY": display])
    }
}

enum XServerError: Error { case noDisplay }
