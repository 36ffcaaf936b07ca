import Foundation
import HelioCore
import HelioTestPrograms

/// A page of a browser, and what a person does at it.
final class Page {
    private struct Size: Decodable {
        var width: Int
        var height: Int
    }

    let browser: Browser
    private let number: Int

    init(_ browser: Browser, _ number: Int) {
        self.browser = browser
        self.number = number
    }

    private func tell(_ what: String, _ fill: (inout BrowserCommand) -> Void = { _ in }) throws {
        var command = BrowserCommand(what, page: number)
        fill(&command)
        try browser.tell(command)
    }

    /// Returns when all of the page is there.
    func open(_ url: String) throws { try tell("open") { $0.url = url } }
    /// Returns when all of the new page is there: for a moment scripts may still find the old one.
    func reload() throws {
        try run("globalThis.isOld = true")
        try tell("reload")
        try until("!globalThis.isOld")
    }
    func close() throws { try tell("close") }
    /// In front of the other tabs of its window.
    func bringToFront() throws { try tell("front") }
    func look(_ look: PageLook) throws { try tell("look") { $0.show(look) } }

    /// In each page that comes here from now on, before any script of its own.
    func before(_ script: String) throws { try tell("before") { $0.script = script } }

    /// What a script gives, or the promise that it gives.
    func evaluate<Value: Decodable>(_ script: String, as type: Value.Type = Value.self) throws -> Value {
        var command = BrowserCommand("evaluate", page: number)
        command.script = script
        return try browser.ask(command)
    }

    func run(_ script: String) throws { try tell("evaluate") { $0.script = script } }

    /// Waits until an expression is true, also of a page that comes in place of this one; gives its value.
    func until<Value: Decodable>(
        _ expression: String, seconds: Double = 20, as type: Value.Type = Value.self
    ) throws -> Value {
        var command = BrowserCommand("until", page: number)
        command.script = expression
        command.seconds = seconds
        return try browser.ask(command)
    }

    func until(_ expression: String, seconds: Double = 20) throws {
        try tell("until") { ($0.script, $0.seconds) = (expression, seconds) }
    }

    // MARK: - What a person does

    enum Button: String {
        case left, right, middle, back, forward
    }

    func move(_ place: Place) throws { try mouse("move", place) }
    func press(_ button: Button, _ place: Place, clicks: Int = 1) throws { try mouse("down", place, button, clicks) }
    func release(_ button: Button, _ place: Place, clicks: Int = 1) throws { try mouse("up", place, button, clicks) }

    func click(_ place: Place, _ button: Button = .left) throws {
        try move(place)
        try press(button, place)
        try release(button, place)
    }

    /// Draws a line with a pen.
    func draw(from start: Place, to end: Place) throws {
        try mouse("move", start, pointer: "pen")
        try mouse("down", start, .left, 1, pointer: "pen")
        try mouse("move", end, pointer: "pen")
        try mouse("up", end, .left, 1, pointer: "pen")
    }

    /// In pixels, as browsers count them: positive is to the right and down.
    func wheel(_ place: Place, dx: Double = 0, dy: Double = 0) throws { try mouse("wheel", place, dx: dx, dy: dy) }

    private func mouse(
        _ kind: String, _ place: Place, _ button: Button? = nil, _ clicks: Int? = nil, dx: Double? = nil,
        dy: Double? = nil, pointer: String? = nil
    ) throws {
        try tell("mouse") {
            ($0.kind, $0.x, $0.y, $0.dx, $0.dy) = (kind, place.x, place.y, dx, dy)
            ($0.button, $0.clicks, $0.pointer) = (button?.rawValue, clicks, pointer)
        }
    }

    func press(_ key: PhysicalKey) throws { try send(key, "down") }
    func release(_ key: PhysicalKey) throws { try send(key, "up") }

    /// Presses each, then releases them the other way round.
    func strike(_ keys: PhysicalKey...) throws {
        for key in keys { try press(key) }
        for key in keys.reversed() { try release(key) }
    }

    private func send(_ key: PhysicalKey, _ kind: String) throws {
        try tell("key") {
            ($0.kind, $0.code, $0.key) = (kind, key.code, key.key)
            ($0.number, $0.location) = (key.number, key.location)
        }
    }

    /// A text as an input method, a dictation or a phone's keyboard gives it.
    func insert(_ text: String) throws { try tell("text") { $0.text = text } }
    /// What an input method shows before it is sure; `insert` ends it.
    func compose(_ text: String) throws { try tell("compose") { $0.text = text } }

    enum Touch: String {
        case down, move, up, cancel
    }

    func touch(_ kind: Touch, _ points: (id: Int, place: Place)...) throws {
        try tell("touch") {
            $0.kind = kind.rawValue
            $0.points = points.map { BrowserCommand.Point(id: $0.id, x: $0.place.x, y: $0.place.y) }
        }
    }

    /// Clicks what a person would see of an element in the page.
    func click(on selector: String) throws {
        try click(try place(of: selector))
    }

    /// The middle of an element once it is to be seen and rests.
    func place(of selector: String) throws -> Place {
        let name = try String(decoding: JSONEncoder().encode(selector), as: UTF8.self)
        return try until(
            """
            new Promise((tell) => {
                const element = document.querySelector(\(name)), first = element?.getBoundingClientRect();
                if (!first?.width || element.disabled) return void tell(null);
                setTimeout(() => {
                    const {x, y, width, height} = element.getBoundingClientRect();
                    const rests = Math.abs(x - first.x) + Math.abs(y - first.y) < 0.1;
                    const place = {x: x + width / 2, y: y + height / 2};
                    const top = document.elementFromPoint(place.x, place.y);
                    tell(rests && element.checkVisibility() && element.contains(top) ? place : null);
                }, 60);
            })
            """)
    }

    func text(of selector: String) throws -> String {
        try evaluate("document.querySelector('\(selector)').textContent.trim()")
    }

    // MARK: - What a person sees

    /// The pixels of a video, an image or a canvas.
    func picture(_ selector: String) throws -> Screenshot { try pixels("picture") { $0.selector = selector } }

    /// The pixels of the screen that show a square of the page around a place.
    func screenshot(around place: Place, side: Double = 4) throws -> Screenshot {
        try pixels("screenshot") {
            ($0.x, $0.y, $0.width, $0.height) = (place.x - side / 2, place.y - side / 2, Int(side), Int(side))
        }
    }

    private func pixels(_ what: String, _ fill: (inout BrowserCommand) -> Void) throws -> Screenshot {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("helio-\(UUID().uuidString).raw")
        defer { try? FileManager.default.removeItem(at: file) }
        var command = BrowserCommand(what, page: number)
        command.file = file.path
        fill(&command)
        let size: Size = try browser.ask(command)
        var bytes = [UInt8](try Data(contentsOf: file))
        guard bytes.count == size.width * size.height * 4, !bytes.isEmpty else {
            throw BrowserError(description: "no picture: \(size)")
        }
        for i in stride(from: 0, to: bytes.count, by: 4) { bytes.swapAt(i, i + 2) }
        return Screenshot(size: PixelSize(width: size.width, height: size.height), bgrx: bytes)
    }

    /// What the browser complained of since it was asked last: exceptions, errors on the console, refusals.
    func problems() throws -> [String] { try browser.ask(BrowserCommand("problems", page: number)) }
}
