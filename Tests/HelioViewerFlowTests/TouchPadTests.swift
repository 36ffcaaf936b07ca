import HelioCore
import HelioViewerFlow
import HelioViewing
import Testing

/// Touches on the picture, on virtual time.
@MainActor
final class TouchPadTests {
    private var now = Duration.zero
    private var sent: [SinkInput] = []
    private var changes = 0
    private lazy var pad = TouchPad(now: { [unowned self] in now }, send: { [unowned self] in sent.append($0) })

    init() {
        pad.show(PixelSize(width: 1000, height: 500))
        pad.resize(width: 500, height: 500)
    }

    private func wait(_ milliseconds: Int) {
        now += .milliseconds(milliseconds)
        pad.tick()
    }

    @Test("a tap clicks where the pointer is, which a finger moves as on a trackpad")
    func tap() throws {
        pad.touch(.down, id: 1, x: 10, y: 10)
        for step in 1...10 {
            wait(20)
            pad.touch(.move, id: 1, x: 10 + Double(step) * 4, y: 10)
        }
        pad.touch(.up, id: 1, x: 50, y: 10)
        guard case .pointerMoved(let x, let y)? = sent.last else {
            Issue.record("the pointer has not moved")
            return
        }
        #expect(x > 0.5 && x < 0.7 && y == 250.5 / 500)
        sent = []
        wait(1000)
        pad.touch(.down, id: 2, x: 400, y: 400)
        wait(50)
        pad.touch(.up, id: 2, x: 400, y: 400)
        #expect(sent == [.button(.left, isDown: true, x: x, y: y), .button(.left, isDown: false, x: x, y: y)])
        #expect(pad.timeToTick == nil)
    }

    @Test("a finger that rests holds the button, and what the system takes away lets it go")
    func hold() throws {
        pad.touch(.down, id: 1, x: 10, y: 10)
        #expect(try #require(pad.timeToTick) == .milliseconds(500))
        wait(500)
        #expect(sent == [.button(.left, isDown: true, x: 0.5005, y: 0.501)])
        pad.touch(.cancelled, id: 1, x: 10, y: 10)
        #expect(sent.last == .button(.left, isDown: false, x: 0.5005, y: 0.501))
    }

    @Test("two fingers scroll the way that the settings say", arguments: [true, false])
    func scroll(_ isNatural: Bool) {
        pad.naturalScrolling = isNatural
        for id in [1, 2] { pad.touch(.down, id: id, x: 100 * Double(id), y: 100) }
        for step in 1...10 {
            wait(10)
            for id in [1, 2] { pad.touch(.move, id: id, x: 100 * Double(id), y: 100 + 8 * Double(step)) }
        }
        for id in [1, 2] { pad.touch(.up, id: id, x: 100 * Double(id), y: 180) }
        var way = 0
        for case .scrolled(_, let dy) in sent { way += dy }
        #expect(abs(way) >= 120 && (way > 0) == isNatural)
    }

    @Test("two fingers that spread zoom the view, and a second tap of two makes it whole")
    func zoom() {
        pad.onChange = { [unowned self] in changes += 1 }
        pad.touch(.down, id: 1, x: 200, y: 250)
        pad.touch(.down, id: 2, x: 300, y: 250)
        for step in 1...10 {
            wait(10)
            pad.touch(.move, id: 1, x: 200 - Double(step) * 10, y: 250)
            pad.touch(.move, id: 2, x: 300 + Double(step) * 10, y: 250)
        }
        for id in [1, 2] { pad.touch(.up, id: id, x: id == 1 ? 100 : 400, y: 250) }
        #expect(pad.zoom > 2 && changes > 0 && sent == [])
        // The picture is as wide as the view: a zoomed one can be moved to the side, up to its edge.
        #expect(abs(pad.offset.x) <= 500 * (pad.zoom - 1) / 2 && pad.offset.y == 0)
        wait(1000)
        for _ in 1...2 {
            for id in [1, 2] { pad.touch(.down, id: id, x: 100 * Double(id), y: 100) }
            wait(30)
            for id in [1, 2] { pad.touch(.up, id: id, x: 100 * Double(id), y: 100) }
            wait(100)
        }
        #expect(pad.zoom == 1 && pad.offset == (0, 0))
    }

    @Test("junk moves nothing outside of the picture")
    func junk() {
        pad.show(PixelSize(width: 0, height: 0))
        pad.touch(.down, id: 1, x: .nan, y: .infinity)
        pad.touch(.down, id: 2, x: 0, y: 0)
        wait(10)
        pad.touch(.move, id: 2, x: 50_000, y: -50_000)
        pad.touch(.up, id: 3, x: 0, y: 0)
        pad.reset()
        for case .pointerMoved(let x, let y) in sent { #expect((0...1).contains(x) && (0...1).contains(y)) }
    }
}
