import CSDL2
import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// A separate X server for a test, with an empty screen; `DISPLAY` names it. It exits with its last client, which is
/// this object.
///
/// Tests that use it are serialized: SDL supports only one display at a time.
final class XServer {
    let name: String
    let size: PixelSize
    private let connection: OpaquePointer

    /// - Parameter sharesMemory: whether MIT-SHM is available; false simulates a server on another machine.
    init(size: PixelSize = PixelSize(width: 800, height: 600), sharesMemory: Bool = true) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // The server writes its chosen display number once it is ready.
        process.arguments =
            ["Xvfb", "-displayfd", "1", "-screen", "0", "\(size)x24", "-terminate", "-nolisten", "tcp"]
            + (sharesMemory ? [] : ["-extension", "MIT-SHM"])
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var number = ""
        let patience = Patience()
        while !number.hasSuffix("\n") {
            try #require(patience.waitToRead(pipe.fileHandleForReading.fileDescriptor), "Xvfb says nothing")
            let data = pipe.fileHandleForReading.availableData
            try #require(!data.isEmpty, "Xvfb didn't start")
            number += String(decoding: data, as: UTF8.self)
        }
        name = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
        self.size = size
        setenv("DISPLAY", name, 1)
        unsetenv("WAYLAND_DISPLAY")
        unsetenv("XDG_SESSION_TYPE")
        connection = try #require(XOpenDisplay(name))
    }

    deinit {
        XCloseDisplay(connection)
    }

    /// The screen's pixels, 0xRRGGBB each.
    func screen() throws -> [UInt32] {
        let image = try #require(
            XGetImage(
                connection, XDefaultRootWindow(connection), 0, 0, UInt32(size.width), UInt32(size.height), ~0,
                ZPixmap))
        defer { _ = image.pointee.f.destroy_image(image) }
        let line = Int(image.pointee.bytes_per_line)
        let data = UnsafeRawPointer(try #require(image.pointee.data))
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.area)
        for y in 0..<size.height {
            for x in 0..<size.width {
                pixels.append(data.load(fromByteOffset: y * line + x * 4, as: UInt32.self) & 0xFF_FFFF)
            }
        }
        return pixels
    }

    func movePointer(x: Int, y: Int) {
        XWarpPointer(connection, 0, XDefaultRootWindow(connection), 0, 0, 0, 0, Int32(x), Int32(y))
        XSync(connection, 0)
    }

    /// A window on top of all others.
    struct Cover {
        fileprivate let connection: OpaquePointer
        fileprivate let window: Window

        func remove() {
            XDestroyWindow(connection, window)
            XSync(connection, 0)
        }
    }

    /// Covers a part of the screen with a window of one colour.
    func cover(_ rect: PixelRect) -> Cover {
        let root = XDefaultRootWindow(connection)
        let window = XCreateSimpleWindow(
            connection, root, Int32(rect.x), Int32(rect.y), UInt32(rect.width), UInt32(rect.height), 0, 0, 0x12_3456)
        // Bypasses the window manager.
        var attributes = XSetWindowAttributes()
        attributes.override_redirect = 1
        XChangeWindowAttributes(connection, window, UInt(CWOverrideRedirect), &attributes)
        XMapRaised(connection, window)
        XSync(connection, 0)
        return Cover(connection: connection, window: window)
    }

    /// Runs `xdotool` on this server.
    func xdotool(_ arguments: String...) throws { try TestStream.run("xdotool", arguments) }
}
