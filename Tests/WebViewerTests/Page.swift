import Foundation
import HelioCore
import HelioTestPrograms

/// A page of a browser, and user actions in it.
final class Page {
    private struct Size: Decodable {
        var width: Int
        var height: Int
    }

    /// The seconds by which touch times are ahead of the machine's clock.
    private static let fingersLead = 30.0

    let browser: Browser
    private let number: Int
    /// The time of the last touch in seconds since 1970; `nil` uses the time of sending.
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

    /// Opens an address, and waits until the page is loaded.
    func open(_ url: String) throws { try tell("open") { $0.url = url } }
    /// Reloads the page, and waits until the new one is loaded: for a moment scripts may still run in the old one.
    func reload() throws {
        try run("globalThis.isOld = true")
        try tell("reload")
        try until("!globalThis.isOld && document.readyState === 'complete'")
    }
    func close() throws { try tell("close") }
    /// Brings the page in front of the other tabs of its window.
    func bringToFront() throws { try tell("front") }
    func look(_ look: PageLook) throws { try tell("look") { $0.show(look) } }

    /// Runs a script in each page loaded from now on, before its own scripts.
    func before(_ script: String) throws { try tell("before") { $0.script = script } }

    /// Returns the value of a script, or of its promise.
    func evaluate<Value: Decodable>(_ script: String, as type: Value.Type = Value.self) throws -> Value {
        var command = BrowserCommand("evaluate", page: number)
        command.script = script
        return try browser.ask(command)
    }

    func run(_ script: String) throws { try tell("evaluate") { $0.script = script } }

    /// Waits until an expression is true, also across page loads; returns its value.
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

    // MARK: - User actions

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

    /// Turns the wheel by CSS pixels: positive is to the right and down.
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

    /// Presses the keys, then releases them in reverse order.
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

    /// Inserts text like an input method, dictation or a phone's keyboard.
    func insert(_ text: String) throws { try tell("text") { $0.text = text } }
    /// Sets an input method's uncommitted text; `insert` ends it.
    func compose(_ text: String) throws { try tell("compose") { $0.text = text } }

    enum Touch: String {
        case down, move, up, cancel
    }

    /// Starts a gesture with simulated times: each touch event has a time 10 ms after the one before, by which pages
    /// distinguish gestures, so the machine's speed doesn't matter. The first time is long enough after earlier ones to
    /// be no part of them. All times are ahead of the machine's clock: a page that waits for fingers to rest waits
    /// long.
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

    /// Clicks where an element is visible. If the layout changes meanwhile, the press hits another element: the page
    /// ignores it then, and the click is repeated.
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

    /// The middle of an element once it is visible and still: no animation moves it, and two successive frames show it
    /// in the same position.
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

    // MARK: - Displayed pixels

    /// The pixels of a video, an image or a canvas.
    func picture(_ selector: String) throws -> Screenshot { try pixels("picture") { $0.selector = selector } }

    /// The displayed pixels of a square of the page around a position.
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

    /// The problems that the browser has reported since the last call: exceptions, console errors, refusals.
    func problems() throws -> [String] { try browser.ask(BrowserCommand("problems", page: number)) }
}
