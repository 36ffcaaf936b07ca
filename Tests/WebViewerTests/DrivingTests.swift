import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Input in a browser arrives in a real X client of the host, once, in order and at the right position.
@Suite("In a browser: driving", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct DrivingTests {
    private struct Rig {
        var desktop: WebDesktop
        var client: XClient
        var browser: Browser
        var viewer: WebViewer
    }

    private static func rig(_ look: PageLook = .desktop) throws -> Rig {
        let desktop = try WebDesktop()
        let client = try XClient(desktop.screen, desktop.size)
        let browser = try Browser()
        let viewer = try desktop.viewer(browser, look)
        return Rig(desktop: desktop, client: client, browser: browser, viewer: viewer)
    }

    @Test(
        "clicks, a drag and the wheel arrive in order, at the right pixels, whatever size the page shows",
        arguments: [1280.0, 560, 820])
    func pointer(width: Double) throws {
        let rig = try Self.rig(PageLook(width: Int(width), height: 620, scale: width == 820 ? 2 : 1))
        let (viewer, page, client) = (rig.viewer, rig.viewer.page, rig.client)
        try viewer.move(x: 400, y: 310)
        try client.pointer(x: 400, y: 310)
        try viewer.click(x: 101, y: 151)
        try viewer.click(x: 700, y: 160, .right)
        try viewer.click(x: 250, y: 550, .middle)
        try client.expect(
            [
                .button(1, isDown: true, x: 101, y: 151), .button(1, isDown: false, x: 101, y: 151),
                .button(3, isDown: true, x: 700, y: 160), .button(3, isDown: false, x: 700, y: 160),
                .button(2, isDown: true, x: 250, y: 550), .button(2, isDown: false, x: 250, y: 550),
            ])
        // A drag.
        try viewer.move(x: 200, y: 200)
        try page.press(.left, try viewer.place(x: 200, y: 200))
        for step in 1...10 { try viewer.move(x: 200 + 30 * step, y: 200 + 20 * step) }
        try page.release(.left, try viewer.place(x: 500, y: 400))
        try client.expect(
            [.button(1, isDown: true, x: 200, y: 200), .button(1, isDown: false, x: 500, y: 400)])
        // A wheel notch towards the user, one away, one to the right.
        let middle = try viewer.place(x: 400, y: 300)
        try viewer.move(x: 400, y: 300)
        // Given in screen pixels, of which the page has fewer.
        let notch = width == 820 ? 240.0 : 120
        try page.wheel(middle, dy: notch)
        try page.wheel(middle, dy: -notch)
        try page.wheel(middle, dx: notch)
        try client.expect(
            [5, 4, 7].flatMap {
                [.button($0, isDown: true, x: 400, y: 300), .button($0, isDown: false, x: 400, y: 300)]
            }
        )
        #expect(try page.problems() == [])
    }

    @Test("keys arrive by their place, with what is held")
    func keys() throws {
        let rig = try Self.rig()
        let (page, client) = (rig.viewer.page, rig.client)
        try rig.viewer.click(x: 400, y: 300)
        _ = try client.next(2)
        try page.strike(.letter("a"))
        try page.strike(.shift, .letter("B"))
        try page.strike(.control, .letter("c"))
        try page.strike(.alt, .up)
        try page.strike(.f5)
        try page.strike(.escape)
        let (shift, control, alt): (UInt32, UInt32, UInt32) = (0xFFE1, 0xFFE3, 0xFFE9)
        func key(_ keysym: UInt32, _ isDown: Bool, _ modifiers: Int = 0) -> XClient.Event {
            .key(keysym: keysym, isDown: isDown, modifiers: modifiers)
        }
        var all: [XClient.Event] = [key(0x61, true), key(0x61, false)]
        all += [key(shift, true), key(0x42, true, 1), key(0x42, false, 1), key(shift, false, 1)]
        all += [key(control, true), key(0x63, true, 4), key(0x63, false, 4), key(control, false, 4)]
        all += [key(alt, true), key(0xFF52, true, 8), key(0xFF52, false, 8), key(alt, false, 8)]
        all += [key(0xFFC2, true), key(0xFFC2, false), key(0xFF1B, true), key(0xFF1B, false)]
        try client.expect(all)
        // The page itself didn't handle the keys: F5 has not reloaded it.
        #expect(try rig.viewer.frames > 0)
        #expect(try page.problems() == [])
    }

    @Test("text arrives whatever its characters, also from an input method, and then keys as before")
    func text() throws {
        let rig = try Self.rig()
        let (page, client) = (rig.viewer.page, rig.client)
        try rig.viewer.click(x: 400, y: 300)
        _ = try client.next(2)
        try page.insert("Crème brûlée 😀 ß€")
        try page.strike(.enter)
        try page.compose("に")
        try page.compose("にほん")
        try page.insert("日本")
        try page.strike(.enter)
        try page.strike(.letter("z"))
        func keysyms(_ text: String) -> [UInt32] {
            text.unicodeScalars.map { $0.value < 0x100 ? $0.value : 0x0100_0000 | $0.value }
        }
        let enter: UInt32 = 0xFF0D
        #expect(try client.text(through: enter) == keysyms("Crème brûlée 😀 ß€") + [enter])
        #expect(try client.text(through: enter) == keysyms("日本") + [enter])
        #expect(try client.text(through: 0x7A) == [0x7A])
        #expect(try page.problems() == [])
    }

    @Test("fingers on a phone: a tap clicks, two scroll, two tapping are the other button, tap and drag drags")
    func touch() throws {
        let rig = try Self.rig(.phone)
        let (page, client) = (rig.viewer.page, rig.client)
        // A finger moves the pointer from its present position.
        func drag(_ id: Int, from: Place, by: (Double, Double)) throws {
            for step in 1...10 {
                let part = Double(step) / 10
                try page.touch(.move, (id, Place(x: from.x + by.0 * part, y: from.y + by.1 * part)))
            }
        }
        let place = Place(x: 200, y: 600)
        page.beginGesture()
        try page.touch(.down, (1, place))
        try drag(1, from: place, by: (40, 30))
        try page.touch(.up, (1, place))
        let moved = try client.next(moves: true)
        guard case .moved = moved else { throw BrowserError(description: "no move, but \(moved)") }

        page.beginGesture()
        try page.touch(.down, (1, place))
        try page.touch(.up, (1, place))
        let (down, up) = (try client.next(), try client.next())
        guard case .button(1, true, let x, let y) = down else { throw BrowserError(description: "\(down)") }
        #expect(up == .button(1, isDown: false, x: x, y: y))

        page.beginGesture()
        try page.touch(.down, (1, place))
        try page.touch(.down, (2, Place(x: 260, y: 600)))
        try page.touch(.up, (1, place))
        try page.touch(.up, (2, place))
        #expect(try client.next() == .button(3, isDown: true, x: x, y: y))
        #expect(try client.next() == .button(3, isDown: false, x: x, y: y))

        page.beginGesture()
        let second = Place(x: 260, y: 600)
        try page.touch(.down, (1, place))
        try page.touch(.down, (2, second))
        for step in 1...20 {
            let way = Double(step) * 8
            try page.touch(.move, (1, Place(x: place.x, y: place.y - way)), (2, Place(x: second.x, y: second.y - way)))
        }
        try page.touch(.up, (1, place))
        try page.touch(.up, (2, second))
        guard case .button(let wheel, true, _, _) = try client.next() else {
            throw BrowserError(description: "no wheel")
        }
        #expect([4, 5].contains(wheel))

        // A tap, which clicks at once, then the finger returns and drags: the button stays down. It is pressed only
        // when hosts no longer take it for a double click, which is when the finger returns.
        page.beginGesture()
        try page.touch(.down, (1, place))
        try page.touch(.up, (1, place))
        try page.touch(.down, (1, place))
        try drag(1, from: place, by: (60, -40))
        try page.touch(.up, (1, Place(x: place.x + 60, y: place.y - 40)))
        page.beginGesture()
        try page.touch(.down, (1, place))
        /// The next event of the left button, and the number of pointer motions before it. Further wheel events are
        /// skipped.
        func nextOfLeft() throws -> (event: XClient.Event, moves: Int) {
            var moves = 0
            let patience = Patience()
            while !patience.isOver {
                switch try client.next(moves: true) {
                case .moved: moves += 1
                case .button(1, let isDown, let x, let y):
                    return (.button(1, isDown: isDown, x: x, y: y), moves)
                default: continue
                }
            }
            throw BrowserError(description: "nothing of the left button")
        }
        #expect(try nextOfLeft().event == .button(1, isDown: true, x: x, y: y))
        #expect(try nextOfLeft().event == .button(1, isDown: false, x: x, y: y))
        let begin = try nextOfLeft()
        #expect(begin.event == .button(1, isDown: true, x: x, y: y) && begin.moves == 0, "pressed where the tap was")
        let end = try nextOfLeft()
        guard case .button(1, false, let endX, let endY) = end.event else {
            throw BrowserError(description: "no end of the drag, but \(end)")
        }
        #expect(endX > x + 10 && endY < y - 10 && end.moves > 0, "\(end) from \(x),\(y)")
        #expect(try page.problems() == [])
    }

    @Test("a pen presses where it comes down and lets go where it is lifted, once")
    func pen() throws {
        let rig = try Self.rig()
        let (viewer, client) = (rig.viewer, rig.client)
        for x in [200, 300] {
            try viewer.page.draw(from: try viewer.place(x: x, y: 200), to: try viewer.place(x: x + 50, y: 240))
            try client.expect(
                [.button(1, isDown: true, x: x, y: 200), .button(1, isDown: false, x: x + 50, y: 240)])
        }
        #expect(try viewer.page.problems() == [])
    }

    @Test("a phone's word that is still being written is left alone once a tap has moved the caret")
    func composedWord() throws {
        let rig = try Self.rig(.phone)
        let (page, client) = (rig.viewer.page, rig.client)
        try page.run("document.querySelector('#keys-button').click()")
        try page.until("document.activeElement.id === 'typing'")
        try page.compose("teh")
        let (h, e, t): (UInt32, UInt32, UInt32) = (0x68, 0x65, 0x74)
        #expect(try client.text(through: h) == [t, e, h])
        let place = Place(x: 200, y: 300)
        page.beginGesture()
        try page.touch(.down, (1, place))
        try page.touch(.up, (1, place))
        try page.until("document.querySelector('#typing').value.trim() === ''")
        try page.compose("cat")
        try page.insert("cat")
        try page.strike(.enter)
        // The events contain no Backspace.
        let enter: UInt32 = 0xFF0D
        #expect(try client.text(through: enter) == [0x63, 0x61, t, enter])
        #expect(try page.problems() == [])
    }

    @Test("with the pointer under the finger a tap clicks there, and a finger that rests is the other button")
    func directTouch() throws {
        let rig = try Self.rig(.phone)
        let (viewer, page, client) = (rig.viewer, rig.viewer.page, rig.client)
        try page.run("document.querySelector('#more-direct').click()")
        try page.until("document.querySelector('#more-direct').getAttribute('aria-pressed') === 'true'")
        /// Expects a button event near a position; a pixel of the page is two of the host's.
        func expect(_ button: Int, isDown: Bool, nearX x: Int, y: Int) throws {
            guard case .button(button, isDown, let foundX, let foundY) = try client.next() else {
                throw BrowserError(description: "not the button \(button)")
            }
            #expect(abs(foundX - x) <= 2 && abs(foundY - y) <= 2, "\(foundX),\(foundY)")
        }
        let rested = try viewer.place(x: 600, y: 450)
        try page.touch(.down, (1, rested))
        for isDown in [true, false] { try expect(3, isDown: isDown, nearX: 600, y: 450) }
        try page.touch(.up, (1, rested))
        let tapped = try viewer.place(x: 200, y: 150)
        page.beginGesture()
        try page.touch(.down, (1, tapped))
        try page.touch(.up, (1, tapped))
        for isDown in [true, false] { try expect(1, isDown: isDown, nearX: 200, y: 150) }
        #expect(try page.problems() == [])
    }
}
