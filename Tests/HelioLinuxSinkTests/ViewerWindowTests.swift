import CSDL2
import Foundation
import HelioCore
import HelioGround
import HelioPatch
import HelioTestLanes
import HelioTestPrograms
import HelioWindow
import Testing

@testable import HelioLinuxSink

/// The viewer's window on a real X server.
@Suite(.serialized, .tags(.quiet)) struct ViewerWindowTests {
    private let server: XServer

    init() throws { server = try XServer() }

    private func open(_ size: PixelSize, _ change: (inout WindowOptions) -> Void = { _ in }) throws -> ViewerWindow {
        var options = WindowOptions()
        options.size = size
        options.adoptsPictureSize = false
        change(&options)
        let window = try ViewerWindow(title: "Test", options: options)
        SDL_SetWindowPosition(window.window, 0, 0)
        _ = try Self.drain(window)
        return window
    }

    /// Opens a window that shows a picture and has the keyboard focus.
    private func openUnderPointer(_ keys: KeyMode = .place) throws -> ViewerWindow {
        let window = try open(PixelSize(width: 640, height: 480)) { $0.keys = keys }
        try window.show(try TestPicture.noise(PixelSize(width: 640, height: 480), seed: 1), damage: nil)
        server.movePointer(x: 100, y: 100)
        _ = try Self.drain(window)
        return window
    }

    /// Returns all events until none arrives for a while.
    private static func drain(_ window: ViewerWindow) throws -> [WindowEvent] {
        var events: [WindowEvent] = []
        let patience = Patience()
        while true {
            let more = try window.wait(until: MonotonicClock.now + .milliseconds(60))
            if more.isEmpty { return events }
            if patience.isOver { throw Patience.Exhausted(description: "events without end: \(more)") }
            events += more
        }
    }

    private static func inputs(_ window: ViewerWindow) throws -> [WindowInput] {
        try drain(window).compactMap { if case .input(let input) = $0 { input } else { nil } }
    }

    /// Expects the pixels of `picture`, unscaled, at `content` on the screen.
    private func expectScreen(shows picture: DecodedPicture, at content: PixelRect, of other: XServer? = nil) throws {
        let screen = try (other ?? server).screen()
        let image = TestPicture.convert(picture)
        var wrong = 0
        for y in max(0, content.y)..<min(server.size.height, content.maxY) {
            for x in max(0, content.x)..<min(server.size.width, content.maxX) {
                let pixel = image.at(x - content.x, y - content.y)
                let expected = UInt32(pixel[2]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[0])
                if screen[y * server.size.width + x] != expected { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test(arguments: ChromaSampling.allCases)
    func showsThePicture(chroma: ChromaSampling) throws {
        let window = try open(PixelSize(width: 640, height: 480))
        let picture = try TestPicture.noise(PixelSize(width: 640, height: 480), seed: 1, chroma: chroma)
        let before = MonotonicClock.now
        let shown = try window.show(picture, damage: nil)
        #expect(shown >= before && shown <= MonotonicClock.now)
        // There is no need to wait: the pixels are on the screen when `show` returns.
        try expectScreen(shows: picture, at: window.layout.content)
        #expect(window.layout.content == PixelRect(x: 0, y: 0, width: 640, height: 480))
    }

    @Test func showsThePictureOnAServerThatSharesNoMemory() throws {
        let far = try XServer(sharesMemory: false)
        let window = try open(PixelSize(width: 640, height: 480))
        for seed in 1...2 as ClosedRange<UInt64> {
            let picture = try TestPicture.noise(PixelSize(width: 640, height: 480), seed: seed)
            try window.show(picture, damage: seed == 1 ? nil : Region(PixelRect(x: 0, y: 0, width: 640, height: 480)))
            try expectScreen(shows: picture, at: window.layout.content, of: far)
        }
    }

    /// With odd sizes and offsets, the picture is at its place in the layout, and everything else is black.
    @Test func barsAreBlack() throws {
        let window = try open(PixelSize(width: 641, height: 401)) { $0.scaleMode = .actual }
        let picture = try TestPicture.noise(PixelSize(width: 333, height: 211), seed: 1)
        try window.show(picture, damage: nil)
        let content = window.layout.content
        #expect(content == PixelRect(x: 154, y: 95, width: 333, height: 211))
        try expectScreen(shows: picture, at: content)
        let screen = try server.screen()
        var bright = 0
        for y in 0..<401 {
            for x in 0..<641 where !content.contains(PixelRect(x: x, y: y, width: 1, height: 1)) {
                if screen[y * 800 + x] != 0 { bright += 1 }
            }
        }
        #expect(bright == 0)
    }

    static let modes: [(ScaleMode, PixelSize)] = [
        (.actual, PixelSize(width: 320, height: 240)), (.actual, PixelSize(width: 703, height: 517)),
        (.fit, PixelSize(width: 640, height: 400)), (.fit, PixelSize(width: 300, height: 401)),
        (.fit, PixelSize(width: 1500, height: 1100)), (.fit, PixelSize(width: 2100, height: 1500)),
        (.integer, PixelSize(width: 160, height: 120)), (.integer, PixelSize(width: 1300, height: 1000)),
    ]

    /// Moved content is copied on the screen, and the rest is drawn: the result equals a full drawing, also below a
    /// message or with another window on top.
    @Test(arguments: [16, -16, 6], [false, true]) func scrolledContentIsMoved(motion: Int, isCovered: Bool) throws {
        let size = PixelSize(width: 640, height: 480)
        let window = try open(size)
        let moved = PixelRect(x: 16, y: 32, width: 560, height: 400)
        let coded = PixelRect(x: 64, y: 64, width: 32, height: 16)
        func sample(_ plane: Int, _ x: Int, _ y: Int, _ turn: Int) -> UInt8 {
            let side = plane == 0 ? 1 : 2
            func isIn(_ rect: PixelRect) -> Bool {
                rect.contains(PixelRect(x: x * side, y: y * side, width: 1, height: 1))
            }
            var line = y
            var last = 0
            for turn in stride(from: turn, to: 0, by: -1) {
                let at = PixelRect(x: x * side, y: line * side, width: 1, height: 1)
                if coded.contains(at) {
                    last = turn
                    break
                }
                if moved.contains(at) { line += motion / side }
            }
            return TestPicture.hash(plane, x, line, UInt64(last))
        }
        if isCovered { window.setMessage("A message over the picture") }
        let cover = isCovered ? server.cover(PixelRect(x: 300, y: 200, width: 90, height: 70)) : nil
        var picture = try TestPicture.make(size) { sample($0, $1, $2, 0) }
        try window.show(picture, damage: nil)
        for turn in 1...4 {
            let region = Region(coded)
            var damage = region
            damage.add(moved)
            let change = DecodedPicture.Change(
                base: picture.frameIndex, scroll: .init(rects: [moved], motion: motion), coded: region)
            picture = try TestPicture.make(size, damage: damage, change: change, frameIndex: UInt64(turn)) {
                sample($0, $1, $2, turn)
            }
            try window.show(picture, damage: damage)
        }
        if isCovered {
            window.setMessage(nil)
            cover?.remove()
            _ = try Self.drain(window)
        }
        try expectScreen(shows: picture, at: window.layout.content)
    }

    /// Many small damages have the same result as one full drawing, in every mode.
    @Test(arguments: modes)
    func partsEqualTheWhole(mode: ScaleMode, size: PixelSize) throws {
        let window = try open(PixelSize(width: 600, height: 420)) { $0.scaleMode = mode }
        try window.show(try TestPicture.noise(size, seed: 0), damage: nil)
        var random = SeededGenerator(seed: 5)
        var current = [UInt64](repeating: 0, count: size.area)
        for seed in UInt64(1)...5 {
            var damage = Region()
            for _ in 0..<3 {
                let x = Int(random.next() % UInt64(size.width - 20)) & ~1
                let y = Int(random.next() % UInt64(size.height - 20)) & ~1
                damage.add(
                    PixelRect(
                        x: x, y: y, width: min(size.width - x, 2 + Int(random.next() % 90) & ~1),
                        height: min(size.height - y, 2 + Int(random.next() % 60) & ~1)))
            }
            for rect in damage.rects {
                for y in rect.y..<rect.maxY { for x in rect.x..<rect.maxX { current[y * size.width + x] = seed } }
            }
            let picture = try TestPicture.make(size) { plane, x, y in
                let by = plane == 0 ? 1 : 2
                return TestPicture.hash(plane, x, y, current[y * by * size.width + x * by])
            }
            try window.show(picture, damage: damage)
        }
        let parts = try server.screen()
        window.invalidateAll()
        try window.flush()
        #expect(try server.screen() == parts)
        let fresh = try TestPicture.make(size) { plane, x, y in
            let by = plane == 0 ? 1 : 2
            return TestPicture.hash(plane, x, y, current[y * by * size.width + x * by])
        }
        try window.show(fresh, damage: nil)
        #expect(try server.screen() == parts)
        #expect(Set(parts).count > 100)
    }

    /// Scaling by an integer repeats each pixel as a block.
    @Test func integerScaleRepeatsPixels() throws {
        let window = try open(PixelSize(width: 640, height: 480)) { $0.scaleMode = .integer }
        let picture = try TestPicture.noise(PixelSize(width: 200, height: 150), seed: 3)
        try window.show(picture, damage: nil)
        #expect(window.layout.content == PixelRect(x: 20, y: 15, width: 600, height: 450))
        let screen = try server.screen()
        let image = TestPicture.convert(picture)
        var wrong = 0
        for y in 0..<450 {
            for x in 0..<600 {
                let pixel = image.at(x / 3, y / 3)
                let expected = UInt32(pixel[2]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[0])
                if screen[(y + 15) * 800 + x + 20] != expected { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    /// The stream's size changes, and the window follows.
    @Test func followsTheStreamsSize() throws {
        let window = try open(PixelSize(width: 640, height: 480)) { $0.scaleMode = .actual }
        for size in [(640, 480), (320, 200), (200, 320), (640, 480)] {
            let picture = try TestPicture.noise(PixelSize(width: size.0, height: size.1), seed: UInt64(size.0))
            try window.show(picture, damage: Region(PixelRect(x: 0, y: 0, width: 16, height: 16)))
            #expect(window.layout.picture == picture.size)
            try expectScreen(shows: picture, at: window.layout.content)
        }
    }

    @Test func followsTheWindowsSize() throws {
        let window = try open(PixelSize(width: 640, height: 480)) { $0.scaleMode = .actual }
        let picture = try TestPicture.noise(PixelSize(width: 320, height: 240), seed: 1)
        try window.show(picture, damage: nil)
        SDL_SetWindowSize(window.window, 500, 400)
        let events = try Self.drain(window)
        #expect(events.contains(.resized(PixelSize(width: 500, height: 400))))
        #expect(window.layout.content == PixelRect(x: 90, y: 80, width: 320, height: 240))
        try expectScreen(shows: picture, at: window.layout.content)
    }

    @Test func theFirstPictureSizesTheWindow() throws {
        let window = try open(PixelSize(width: 640, height: 480)) { $0.adoptsPictureSize = true }
        try window.show(try TestPicture.noise(PixelSize(width: 400, height: 300), seed: 1), damage: nil)
        #expect(window.layout.content == PixelRect(x: 0, y: 0, width: 400, height: 300))
        let large = try open(PixelSize(width: 640, height: 480)) { $0.adoptsPictureSize = true }
        try large.show(try TestPicture.noise(PixelSize(width: 1920, height: 1080), seed: 1), damage: nil)
        #expect(large.layout.content == PixelRect(x: 0, y: 0, width: 800, height: 450))
    }

    @Test func aLargePictureScrolls() throws {
        let window = try open(PixelSize(width: 500, height: 400)) { $0.scaleMode = .actual }
        let picture = try TestPicture.noise(PixelSize(width: 800, height: 600), seed: 1)
        try window.show(picture, damage: nil)
        window.scroll(byX: 101, y: 60)
        try window.flush()
        #expect(window.layout.content.x == -100)
        #expect(window.layout.content.y == -60)
        let screen = try server.screen()
        let image = TestPicture.convert(picture)
        for (x, y) in [(0, 0), (499, 399), (17, 233)] {
            let pixel = image.at(x + 100, y + 60)
            #expect(screen[y * 800 + x] == UInt32(pixel[2]) << 16 | UInt32(pixel[1]) << 8 | UInt32(pixel[0]))
        }
    }

    /// Overlays leave no traces, and drawing below them doesn't erase them.
    @Test func overlaysComeAndGo() throws {
        let window = try open(PixelSize(width: 640, height: 480))
        let size = PixelSize(width: 640, height: 480)
        server.movePointer(x: 700, y: 500)
        _ = try Self.drain(window)
        let waiting = try server.screen()
        #expect(waiting.contains { $0 != 0 })
        let picture = try TestPicture.noise(size, seed: 1)
        try window.show(picture, damage: nil)
        try expectScreen(shows: picture, at: window.layout.content)
        let plain = try server.screen()
        window.setStatistics(["60 frames a second", "", "8.0 Mbit/s"])
        window.setMessage("Connection lost, reconnecting")
        window.setHelpVisible(true)
        window.setCursorShape(Self.shape)
        window.setCursorPosition((x: 600, y: 100))
        try window.flush()
        let covered = try server.screen()
        let changed = zip(plain, covered).count { $0 != $1 }
        #expect(changed > 20_000)
        #expect(covered[100 * 800 + 600] == 0xFF0000)
        #expect(covered[107 * 800 + 607] == plain[107 * 800 + 607])
        for x in stride(from: 0, to: 600, by: 23) {
            let damage = Region(PixelRect(x: x, y: x / 2, width: 33, height: 41))
            try window.show(picture, damage: damage)
        }
        #expect(try server.screen() == covered)
        window.setStatistics(nil)
        window.setMessage(nil)
        window.setHelpVisible(false)
        window.setCursorPosition(nil)
        try window.flush()
        #expect(try server.screen() == plain)
    }

    @Test(
        "a message that is wider than the window is broken between words, all of it inside",
        arguments: [400, 640, 1400])
    func longMessage(width: Int) throws {
        let window = try open(PixelSize(width: width, height: 400))
        let text =
            "Chrome on Linux wants to send 'sendme' (4 files and folders, 3.0 MB). Ctrl+Alt+Shift+T takes it, Ctrl+Alt+Shift+N refuses."
        window.setMessage(text)
        let layer = try #require(window.overlays.message)
        #expect(layer.x >= 0 && layer.x + layer.frame.width <= width)
        #expect(layer.y >= 0 && layer.y + layer.frame.height <= 400)
        let renderer = try #require(TextRenderer(pointSize: 15))
        let lines = renderer.wrap(text, width: width - 32)
        #expect(lines.joined(separator: " ") == text && (lines.count == 1) == (width == 1400))
    }

    /// 8x8 pixels: the upper half red, the lower half transparent.
    private static let shape = CursorShape(
        size: PixelSize(width: 8, height: 8), hotspotX: 2, hotspotY: 1,
        rgba: (0..<64).flatMap { $0 < 32 ? [255, 0, 0, 255] : [0, 255, 0, 0] as [UInt8] })

    /// Over the picture, this machine's pointer has the host's shape; elsewhere the host's pointer is drawn at its
    /// position.
    @Test func thePointerIsDrawnOnlyWhileItIsElsewhere() throws {
        let window = try open(PixelSize(width: 640, height: 480))
        try window.show(try TestPicture.noise(PixelSize(width: 640, height: 480), seed: 1), damage: nil)
        window.setCursorShape(Self.shape)
        window.setCursorPosition((x: 50, y: 50))
        server.movePointer(x: 700, y: 500)
        _ = try Self.drain(window)
        #expect(window.cursor.layer?.frame == PixelRect(x: 48, y: 49, width: 8, height: 8))
        server.movePointer(x: 300, y: 300)
        _ = try Self.drain(window)
        #expect(window.cursor.layer == nil)
        #expect(SDL_GetCursor() == window.cursor.local)
        window.setControls(false)
        #expect(window.cursor.layer != nil)
        #expect(SDL_GetCursor() == SDL_GetDefaultCursor())
        window.setControls(true)
        window.setCursorShape(nil)
        #expect(window.cursor.layer == nil)
        #expect(SDL_ShowCursor(SDL_QUERY) == SDL_DISABLE)
    }

    @Test func wakeEndsTheWait() async throws {
        let window = try open(PixelSize(width: 320, height: 240))
        let waker = window.waker
        waker()
        waker()
        #expect(try window.wait(until: nil) == [.woken])
        Thread.detachNewThread { waker() }
        #expect(try window.wait(until: nil) == [.woken])
        #expect(try window.wait(until: MonotonicClock.now) == [])
    }

    static let pointer: [(ScaleMode, PixelSize)] = [
        (.actual, PixelSize(width: 640, height: 480)), (.actual, PixelSize(width: 300, height: 200)),
        (.fit, PixelSize(width: 1920, height: 1080)), (.fit, PixelSize(width: 200, height: 200)),
        (.integer, PixelSize(width: 200, height: 150)),
    ]

    /// Pointer positions map to the right pixel of the picture.
    @Test(arguments: pointer)
    func pointerInput(mode: ScaleMode, size: PixelSize) throws {
        let window = try open(PixelSize(width: 640, height: 480)) { $0.scaleMode = mode }
        try window.show(try TestPicture.noise(size, seed: 1), damage: nil)
        server.movePointer(x: 700, y: 590)
        _ = try Self.drain(window)
        let content = window.layout.content
        let x = max(0, content.x) + 37
        let y = max(0, content.y) + 91
        let expected = WindowInput.pointerMoved(
            x: (Double(x - content.x) + 0.5) / Double(content.width),
            y: (Double(y - content.y) + 0.5) / Double(content.height))
        try server.xdotool("mousemove", "\(x)", "\(y)", "click", "1")
        #expect(
            try Self.inputs(window) == [expected, .button(.left, isDown: true), .button(.left, isDown: false)])
        if content.x > 4 {
            try server.xdotool("mousemove", "\(content.x - 3)", "\(y)", "click", "1")
            #expect(try Self.inputs(window) == [])
            // A drag that leaves the picture is clamped to its edge.
            try server.xdotool("mousemove", "\(x)", "\(y)", "mousedown", "1")
            try server.xdotool("mousemove", "\(content.x - 3)", "\(y)", "mouseup", "1")
            let edge = WindowInput.pointerMoved(
                x: 0.5 / Double(content.width), y: (Double(y - content.y) + 0.5) / Double(content.height))
            #expect(
                try Self.inputs(window) == [
                    expected, .button(.left, isDown: true), edge, .button(.left, isDown: false),
                ])
        }
    }

    @Test func buttonsWheelAndKeys() throws {
        let window = try openUnderPointer()
        try server.xdotool("click", "3", "click", "2", "click", "8", "click", "4", "click", "5", "click", "6")
        #expect(
            try Self.inputs(window) == [
                .button(.right, isDown: true), .button(.right, isDown: false), .button(.middle, isDown: true),
                .button(.middle, isDown: false), .button(.back, isDown: true), .button(.back, isDown: false),
                .scrolled(dx: 0, dy: 120), .scrolled(dx: 0, dy: -120), .scrolled(dx: -120, dy: 0),
            ])
        try server.xdotool("click", "7")
        #expect(try Self.inputs(window) == [.scrolled(dx: 120, dy: 0)])
        try server.xdotool("key", "F1")
        #expect(
            try Self.inputs(window) == [
                .key(usage: 0x3A, modifiers: 0, isDown: true), .key(usage: 0x3A, modifiers: 0, isDown: false),
            ])
        try server.xdotool("key", "ctrl+c")
        #expect(
            try Self.inputs(window) == [
                .key(usage: 0xE0, modifiers: 1, isDown: true), .key(usage: 0x06, modifiers: 1, isDown: true),
                .key(usage: 0xE0, modifiers: 0, isDown: false), .key(usage: 0x06, modifiers: 0, isDown: false),
            ])
        try server.xdotool("key", "ctrl+alt+shift+s")
        let events = try Self.drain(window)
        #expect(events.contains(.command(.toggleStatistics)))
        #expect(!events.contains { if case .input(.key(0x16, _, _)) = $0 { true } else { false } })
    }

    /// A window that was blocked receives all events within a millisecond.
    @Test func keysThatComeAtOnce() throws {
        let window = try openUnderPointer()
        try server.xdotool("type", "--delay", "0", "aABbb!1B")
        var typed = ""
        var held: [UInt16] = []
        for case .key(let usage, let modifiers, let isDown) in try Self.inputs(window) {
            #expect(held.contains(usage) != isDown)
            held = isDown ? held + [usage] : held.filter { $0 != usage }
            let name = [0x04: "a", 0x05: "b", 0x1E: "1"][usage]
            if isDown, let name { typed += modifiers & 0x22 == 0 ? name : name == "1" ? "!" : name.uppercased() }
        }
        #expect(typed == "aABbb!1B" && held.isEmpty)
    }

    /// X11 repeats the press of a held key; the host has its own key repeat.
    @Test(arguments: [KeyMode.character, .place])
    func aKeyThatIsHeld(keys: KeyMode) throws {
        let window = try openUnderPointer(keys)
        try TestStream.run("xset", ["r", "rate", "100", "50"])
        try server.xdotool("keydown", "a", "sleep", "0.4", "keyup", "a")
        let press =
            keys == .place ? WindowInput.key(usage: 0x04, modifiers: 0, isDown: true) : .character("a", usage: 0x04)
        #expect(try Self.inputs(window) == [press, .key(usage: 0x04, modifiers: 0, isDown: false)])
    }

    @Test func keysByCharacter() throws {
        let window = try openUnderPointer(.character)
        try TestStream.run("setxkbmap", ["de"])
        // z on the y key, AltGr+q, Return; then Ctrl+z.
        try server.xdotool("key", "29", "keydown", "108", "key", "24", "keyup", "108", "key", "36")
        try server.xdotool("keydown", "37", "key", "29", "keyup", "37")
        #expect(
            try Self.inputs(window) == [
                .character("z", usage: 0x1C), .key(usage: 0x1C, modifiers: 0, isDown: false),
                .character("@", usage: 0x14), .key(usage: 0x14, modifiers: 0, isDown: false),
                .key(usage: 0x28, modifiers: 0, isDown: true), .key(usage: 0x28, modifiers: 0, isDown: false),
                .key(usage: 0xE0, modifiers: 1, isDown: true), .key(usage: 0x1C, modifiers: 1, isDown: true),
                .key(usage: 0x1C, modifiers: 1, isDown: false), .key(usage: 0xE0, modifiers: 0, isDown: false),
            ])
        // The shortcut that switches the key mode.
        try server.xdotool("key", "ctrl+alt+shift+l")
        _ = try Self.inputs(window)
        try server.xdotool("key", "29")
        #expect(
            try Self.inputs(window) == [
                .key(usage: 0x1C, modifiers: 0, isDown: true), .key(usage: 0x1C, modifiers: 0, isDown: false),
            ])
    }

    /// Programs that type map unused keycodes to characters that the layout lacks.
    @Test(arguments: [KeyMode.character, .place])
    func whatAProgramTypes(keys: KeyMode) throws {
        let window = try openUnderPointer(keys)
        // xdotool restores its keycodes at once: a client that looks later finds them unmapped.
        let typing = try RunningProgram(
            "xdotool", ["type", "--delay", "80", "a€ñ"], environment: ["DISPLAY": server.name])
        defer { typing.kill() }
        let a = keys == .place ? WindowInput.key(usage: 0x04, modifiers: 0, isDown: true) : .character("a", usage: 0x04)
        // If SDL still knows the keycode, the character is reported as a held key.
        var typed: [WindowInput] = []
        let patience = Patience()
        while typed.last != .text("ñ"), !patience.isOver {
            typed += try Self.inputs(window).compactMap { input -> WindowInput? in
                if case .character(let character, let usage) = input, usage != 0x04 { return .text(String(character)) }
                if case .key(let usage, _, false) = input, usage != 0x04 { return nil }
                return input
            }
        }
        #expect(typed == [a, .key(usage: 0x04, modifiers: 0, isDown: false), .text("€"), .text("ñ")])
    }

    @Test func locksAreToldWithTheKeyboardAndAsTheyChange() throws {
        let window = try open(PixelSize(width: 640, height: 480))
        try window.show(try TestPicture.noise(PixelSize(width: 640, height: 480), seed: 1), damage: nil)
        window.setControls(false)
        server.movePointer(x: 100, y: 100)
        _ = try Self.drain(window)
        window.setControls(true)
        #expect(try Self.inputs(window) == [.locks(LockState(caps: false, num: false))])
        try server.xdotool("key", "Caps_Lock")
        #expect(try Self.inputs(window).contains(.locks(LockState(caps: true, num: false))))
        try server.xdotool("key", "Num_Lock")
        #expect(try Self.inputs(window).contains(.locks(LockState(caps: true, num: true))))
    }

    @Test func viewOnlyTellsNothing() throws {
        let window = try open(PixelSize(width: 640, height: 480)) { $0.controls = false }
        try window.show(try TestPicture.noise(PixelSize(width: 640, height: 480), seed: 1), damage: nil)
        try server.xdotool("mousemove", "100", "100", "click", "1", "click", "4", "key", "a")
        #expect(try Self.inputs(window) == [])
    }

    @Test func pointerLockTellsMovement() throws {
        let window = try open(PixelSize(width: 640, height: 480))
        try window.show(try TestPicture.noise(PixelSize(width: 640, height: 480), seed: 1), damage: nil)
        server.movePointer(x: 320, y: 240)
        SDL_RaiseWindow(window.window)
        _ = try Self.drain(window)
        window.setPointerLocked(true)
        _ = try Self.drain(window)
        try server.xdotool("mousemove_relative", "--", "30", "-7")
        var sum = (x: 0, y: 0)
        for input in try Self.inputs(window) {
            guard case .pointerMovedBy(let dx, let dy) = input else { continue }
            sum = (sum.x + dx, sum.y + dy)
        }
        #expect(sum == (30, -7))
        window.setPointerLocked(false)
        #expect(!window.isPointerLocked)
    }

    @Test func noDisplayIsAnError() {
        setenv("DISPLAY", ":987654", 1)
        setenv("SDL_VIDEODRIVER", "x11", 1)
        defer { unsetenv("SDL_VIDEODRIVER") }
        let error = #expect(throws: HelioError.self) { try ViewerWindow(title: "Test") }
        #expect(error?.code == .displayUnavailable)
    }
}
