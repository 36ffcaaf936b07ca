import CSDL2
import Foundation
import HelioCore
import HelioGround
import HelioTestPrograms
import HelioWayland
import HelioWaylandWire
import Testing

@testable import HelioLinuxSink

/// A session of sway for a viewer's window in this process, whose environment names it.
final class SwaySession {
    let sway: SwayDesktop

    /// - Parameter size: of the output in pixels, whatever its scale.
    init(_ size: PixelSize, scale: Double = 1) throws {
        sway = try SwayDesktop(width: size.width, height: size.height, background: "ff0000")
        if scale != 1 { try sway.order("output HEADLESS-1 scale \(scale)") }
        enter()
    }

    /// Makes this process's environment that of the session, without an X server.
    func enter() {
        for (name, value) in sway.environment { setenv(name, value, 1) }
        for name in ["DISPLAY", "SDL_VIDEODRIVER"] { unsetenv(name) }
    }

    func open(_ size: PixelSize, _ change: (inout WindowOptions) -> Void = { _ in }) throws -> ViewerWindow {
        var options = WindowOptions()
        options.size = size
        options.adoptsPictureSize = false
        change(&options)
        return try ViewerWindow(title: "Test", options: options)
    }

    /// Handles the window's events until one is as wanted, and returns all.
    @discardableResult
    static func wait(
        for what: String, _ window: ViewerWindow, _ holds: ([WindowEvent]) throws -> Bool
    ) throws -> [WindowEvent] {
        var events: [WindowEvent] = []
        let patience = Patience()
        while try !holds(events) {
            if patience.isOver { throw Patience.Exhausted(description: "no \(what): \(events)") }
            events += try window.wait(until: MonotonicClock.now + .milliseconds(20))
        }
        return events
    }

    /// Handles the window's events until the input is there, and expects it in this order.
    static func expect(_ wanted: [WindowInput], _ window: ViewerWindow) throws {
        var seen: [WindowInput] = []
        let patience = Patience()
        while !wanted.allSatisfy(seen.contains), !patience.isOver {
            for event in try window.wait(until: MonotonicClock.now + .milliseconds(20)) {
                if case .input(let input) = event { seen.append(input) }
            }
        }
        #expect(seen.filter(wanted.contains).prefix(wanted.count) == wanted[...], "\(seen)")
    }

    /// The pixels of an output, 0xRRGGBB each, without the pointer unless it is wanted.
    func screen(
        of output: String = "HEADLESS-1", withCursor: Bool = false
    ) throws -> (size: PixelSize, pixels: [UInt32]) {
        let connection = try WaylandConnection(path: sway.socket)
        var outputs = try WaylandOutputs(connection)
        let copies = try ScreenCopies(connection, withPointer: withCursor)
        let wanted = try #require(outputs.output(output))
        try copies.ask(of: wanted.object, isWhole: true)
        let patience = Patience()
        while !patience.isOver {
            try connection.flush()
            connection.wait(until: MonotonicClock.now + .seconds(1))
            while let notice = try connection.next() {
                try outputs.take(notice, connection)
                guard case .copied = try copies.take(notice) else { continue }
                let picture = try #require(copies.newest)
                return (picture.size, Self.pixels(of: picture))
            }
        }
        throw Patience.Exhausted(description: "no copy of the screen")
    }

    /// The part of the output of which the compositor says that it changes with a frame of the window, which `draw`
    /// makes as often as it is called.
    func change(by draw: () throws -> Void) throws -> Region {
        let connection = try WaylandConnection(path: sway.socket)
        let outputs = try WaylandOutputs(connection)
        let copies = try ScreenCopies(connection, withPointer: false)
        let output = try #require(outputs.usable.first).object
        let patience = Patience()
        // For a program's first such copy all counts as changed.
        for isFirst in [true, false] {
            var damage = Region()
            try copies.ask(of: output, isWhole: false)
            // The compositor tells what memory it needs, and then has the request to copy after the next change.
            for _ in 0..<2 { try connection.roundTrip { notice throws(HelioError) in _ = try copies.take(notice) } }
            try draw()
            while copies.isCopying, !patience.isOver {
                try connection.flush()
                connection.wait(until: MonotonicClock.now + .seconds(1))
                while let notice = try connection.next() {
                    // The copy's own report has what differs alone.
                    if case .damage(let rect) = notice.event { damage.add(rect) }
                    if case .copied = try copies.take(notice), !isFirst { return damage }
                }
            }
        }
        throw Patience.Exhausted(description: "no change of the screen")
    }

    private static func pixels(of picture: SharedPicture) -> [UInt32] {
        let size = picture.size
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.area)
        for y in 0..<size.height {
            let row = picture.pixels + (picture.isInverted ? size.height - 1 - y : y) * picture.stride
            for x in 0..<size.width {
                let pixel = row + x * 4
                let isBGR = picture.format.isBGRX
                let (red, blue) = isBGR ? (pixel[2], pixel[0]) : (pixel[0], pixel[2])
                pixels.append(UInt32(red) << 16 | UInt32(pixel[1]) << 8 | UInt32(blue))
            }
        }
        return pixels
    }

    /// Expects that the output shows the picture, unscaled, with its top left at a pixel.
    func expectScreen(
        shows picture: DecodedPicture, x: Int = 0, y: Int = 0, in window: ViewerWindow, of output: String = "HEADLESS-1"
    ) throws {
        let image = TestPicture.convert(picture)
        var wrong = -1
        let patience = Patience()
        // Sway executes the requests of two connections in no certain order.
        while wrong != 0, !patience.isOver {
            _ = try window.wait(until: MonotonicClock.now + .milliseconds(20))
            let screen = try screen(of: output)
            wrong = 0
            for row in 0..<min(picture.size.height, screen.size.height - y) {
                for column in 0..<min(picture.size.width, screen.size.width - x) {
                    let pixel = image.at(column, row)
                    let expected = UInt32(pixel[2]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[0])
                    if screen.pixels[(row + y) * screen.size.width + column + x] != expected { wrong += 1 }
                }
            }
        }
        #expect(wrong == 0)
    }
}
