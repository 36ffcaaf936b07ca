import Foundation
import HelioCore
import HelioTestPrograms

/// A page of a browser, and what a person does at it.
final class Page {
    private struct Size: Decodable {
        var width: Int
        var height: Int
    }

    /// Seconds by which fingers are ahead of the machine's clock.
    private static let fingersLead = 30.0

    let browser: Browser
    private let number: Int
    /// The time of the last touch, in seconds since 1970; `nil`: each touch happens when it is sent.
    private var fingersTime: Double?

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
        try until("!globalThis.isOld && document.readyState === 'complete'")
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
        _ expression: String, seconds: Double = 30, as type: Value.Type = Value.self
    ) throws -> Value {
        var command = BrowserCommand("until", page: number)
        command.script = expression
        command.seconds = seconds
        return try browser.ask(command)
    }

    func until(_ expression: String, seconds: Double = 30) throws {
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

    /// From here on each thing that fingers do has a time of its own, 10 ms after the one before, which is what pages tell
    /// gestures apart by; whatever time the machine takes for them is nobody's. The first comes so long after what was
    /// before that it is no part of that. All of it is ahead of the machine's clock: a page that waits for fingers to rest
    /// waits long.
    func beginGesture() {
        fingersTime = max((fingersTime ?? 0) + 1, Date().timeIntervalSince1970 + Self.fingersLead)
    }

    func touch(_ kind: Touch, _ points: (id: Int, place: Place)...) throws {
        if let time = fingersTime { fingersTime = time + 0.01 }
        try tell("touch") {
            $0.kind = kind.rawValue
            $0.time = fingersTime
            $0.points = points.map { BrowserCommand.Point(id: $0.id, x: $0.place.x, y: $0.place.y) }
        }
    }

    /// Clicks what a person would see of an element in the page. Where the page is laid out anew on the way there, the press
    /// finds something else: then it is none for the page, and the person tries again.
    func click(on selector: String) throws {
        let name = try Self.literal(selector)
        let patience = Patience()
        while !patience.isOver {
            let place = try place(of: selector)
            try move(place)
            try run(
                """
                {
                    globalThis.aim?.end.abort();
                    const aim = globalThis.aim = {isHit: null, end: new AbortController()};
                    const judge = (event) => {
                        aim.isHit ??= document.querySelector(\(name))?.contains(event.target) === true;
                        if (aim.isHit) return aim.end.abort();
                        event.preventDefault();
                        event.stopImmediatePropagation();
                    };
                    for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
                        addEventListener(type, judge, {capture: true, signal: aim.end.signal});
                }
                """)
            try press(.left, place)
            let isHit: Bool = try evaluate("aim.isHit === true")
            try release(.left, place)
            if isHit { return }
        }
        throw BrowserError(description: "'\(selector)' never was where the press found it before")
    }

    /// The middle of an element once it is to be seen and rests: no animation moves it, and two pictures in a row show it
    /// in one place.
    func place(of selector: String) throws -> Place {
        try until(
            """
            new Promise((tell) => {
                const element = document.querySelector(\(try Self.literal(selector)));
                if (!element || element.disabled) return void tell(null);
                const moves = () => document.getAnimations().some(({effect, playState}) => playState === "running"
                    && effect.getTiming().iterations !== Infinity && effect.target?.contains(element));
                const picture = () => new Promise(requestAnimationFrame);
                (async () => {
                    await picture();
                    const first = element.getBoundingClientRect();
                    await picture();
                    const {x, y, width, height} = element.getBoundingClientRect();
                    if (!width || moves() || Math.abs(x - first.x) + Math.abs(y - first.y) >= 0.1) return null;
                    const place = {x: x + width / 2, y: y + height / 2};
                    const top = document.elementFromPoint(place.x, place.y);
                    return element.checkVisibility() && element.contains(top) ? place : null;
                })().then(tell);
            })
            """)
    }

    private static func literal(_ text: String) throws -> String {
        try String(decoding: JSONEncoder().encode(text), as: UTF8.self)
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
