import HelioControlWire
import HelioCore
import HelioRemote
import Testing

struct ControlLossTests {
    /// 2500 sessions of random input at each loss rate, in both directions. With any loss, duplication or reordering,
    /// every reliable event is injected once, in order, and at the right pointer position; and the final pointer
    /// position is right.
    @Test(arguments: [0, 0.05, 0.15, 0.3])
    func randomInputArrivesOnceAndInOrder(loss: Double) {
        for seed in 0..<UInt64(2500) {
            var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(loss * 100))
            var configuration = ControlSender.Configuration()
            var host = ControlReceiver.Configuration()
            // Both sequence numbers wrap during half of the sessions.
            configuration.firstSequence = seed.isMultiple(of: 2) ? UInt32.max - UInt32(seed % 8) : 0
            host.firstSequence = configuration.firstSequence
            host.eventsPerSecond = seed.isMultiple(of: 3) ? 30 : 120
            // Longer than any run of losses here: a silence time-out would inject releases that nobody sent.
            host.silenceTimeout = .seconds(60)
            var ends = TwoEnds(loss: loss, seed: seed, sender: configuration, receiver: host)
            var script = Script()
            for _ in 0..<Int.random(in: 1...14, using: &generator) {
                ends.act(script.next(&generator))
                if generator.unit() < 0.7 {
                    ends.run(for: .microseconds(Int64(generator.unit() * 25_000)))
                }
            }
            ends.run(until: ends.now + .seconds(60), stopWhenIdle: true)
            var seen = PointerState()
            // Several losses in a row count as silence, in which key repeat stops: `stopRepeating` is no event.
            for input in ends.inputs where input != .stopRepeating { seen.apply(input) }
            let isIdle = ends.sender.isIdle
            #expect(isIdle, "seed \(seed)")
            #expect(seen.moments == script.expected.moments, "seed \(seed)")
            #expect(seen.x == script.expected.x && seen.y == script.expected.y, "seed \(seed)")
            #expect(seen.relativeX == script.expected.relativeX, "seed \(seed)")
            #expect(seen.relativeY == script.expected.relativeY, "seed \(seed)")
        }
    }

    /// Plausible input, and the host's expected result.
    private struct Script {
        private let mapper = CoordinateMapper(size: TwoEnds.size)
        private var keys: [UInt16] = []
        private var buttons: [PointerButton] = []
        private var isRelative = false
        private var isTouching = false
        var expected = PointerState()

        mutating func next(_ generator: inout SeededGenerator) -> InputEvent {
            let x = Float(generator.unit())
            let y = Float(generator.unit())
            switch Int.random(in: 0..<16, using: &generator) {
            case 0...4:
                isRelative = false
                move(x, y)
                return .pointerMove(x: x, y: y)
            case 5, 6:
                isRelative = true
                let (dx, dy) = (Int.random(in: -9...9, using: &generator), Int.random(in: -9...9, using: &generator))
                expected.apply(.movePointerBy(dx: dx, dy: dy))
                return .relativeMove(dx: dx, dy: dy)
            case 7...9 where !isTouching:
                let button = PointerButton.allCases.randomElement(using: &generator) ?? .left
                let isDown = !buttons.contains(button)
                if isDown { buttons.append(button) } else { buttons.removeAll { $0 == button } }
                if !isRelative { move(x, y) }
                expected.apply(.button(button, isDown: isDown))
                return .button(button, isDown: isDown, x: x, y: y)
            case 10, 11:
                let (dx, dy) = (Int.random(in: 1...240, using: &generator), Int.random(in: -240...0, using: &generator))
                expected.apply(.scroll(dx: dx, dy: dy))
                return .scroll(dx: dx, dy: dy)
            case 12:
                let text = String(repeating: "é", count: Int.random(in: 1...300, using: &generator))
                var rest = text[...]
                while !rest.isEmpty {
                    expected.apply(.text(String(rest.prefix(128))))
                    rest = rest.dropFirst(128)
                }
                return .text(text)
            case 13 where buttons.isEmpty:
                isRelative = false
                move(x, y)
                defer { isTouching.toggle() }
                expected.apply(.button(.left, isDown: !isTouching))
                return .touch(isTouching ? .up : .down, x: x, y: y, pressure: 1)
            case 14 where isTouching:
                isRelative = false
                move(x, y)
                return .touch(.move, x: x, y: y, pressure: 0.5)
            default:
                let usage = UInt16.random(in: 4...20, using: &generator)
                let isDown = !keys.contains(usage)
                if isDown { keys.append(usage) } else { keys.removeAll { $0 == usage } }
                expected.apply(.key(usage: usage, isDown: isDown))
                return .key(usage: usage, modifiers: [], isDown: isDown)
            }
        }

        private mutating func move(_ x: Float, _ y: Float) {
            guard let point = NormalizedPoint(x: x, y: y) else { return }
            let pixel = mapper.pixel(at: point)
            expected.apply(.movePointer(x: pixel.x, y: pixel.y))
        }
    }

    /// Defect 3: the last motion of a drag, if still held back by the throttle, is sent before the button release.
    @Test(arguments: [0, 0.3])
    func dragEndsWhereItEnded(loss: Double) {
        for seed in 0..<UInt64(50) {
            var ends = TwoEnds(loss: loss, seed: seed)
            ends.act(.button(.left, isDown: true, x: 0, y: 0))
            for step in 1...40 {
                ends.run(for: .milliseconds(2))
                ends.act(.pointerMove(x: Float(step) / 80, y: 0.5))
            }
            ends.act(.button(.left, isDown: false, x: 1, y: 1))
            ends.run(until: ends.now + .seconds(30), stopWhenIdle: true)
            #expect(
                ends.inputs.suffix(3) == [
                    .movePointer(x: 960, y: 540), .movePointer(x: 1919, y: 1079), .button(.left, isDown: false),
                ])
        }
    }

    @Test func lostDatagramsLoseNoRelativeMotion() {
        var ends = TwoEnds(loss: 0.3, seed: 5)
        for _ in 0..<500 {
            ends.act(.relativeMove(dx: 3, dy: -1))
            ends.run(for: .milliseconds(3))
        }
        ends.run(until: ends.now + .seconds(10), stopWhenIdle: true)
        var state = PointerState()
        for input in ends.inputs { state.apply(input) }
        #expect(state.relativeX == 1500)
        #expect(state.relativeY == -500)
    }

    /// A path that is down for ten seconds: nothing is given up, and there are few retransmissions.
    @Test func deadPathRecovers() {
        var ends = TwoEnds(loss: 1)
        ends.act(.key(usage: 4, modifiers: [], isDown: true))
        ends.act(.key(usage: 4, modifiers: [], isDown: false))
        ends.run(for: .seconds(10))
        #expect(ends.inputs.isEmpty)
        #expect((38...50).contains(ends.sent.count))
        ends.up.loss = 0
        ends.down.loss = 0
        ends.run(until: ends.now + .seconds(1), stopWhenIdle: true)
        #expect(ends.inputs == [.key(usage: 4, isDown: true), .key(usage: 4, isDown: false)])
    }
}
