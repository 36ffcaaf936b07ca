import HelioCore
import HelioRemote
import Testing

struct GestureEngineTests {
    private static let vectors: GestureVectors? = try? GoldenVectors.load("gestures.json")

    @Test func vectorsAreThere() throws {
        let vectors: GestureVectors = try GoldenVectors.load("gestures.json")
        #expect(vectors.cases.count >= 80)
    }

    @Test func settingsAreThoseOfTheTable() throws {
        let vectors: GestureVectors = try GoldenVectors.load("gestures.json")
        var settings = GestureSettings()
        // Values that the table doesn't set stay invalid.
        settings.slop = -1
        settings.tapTime = .zero
        settings.doubleTapTime = .zero
        settings.doubleTapSlop = -1
        settings.clickTime = .zero
        settings.longPressTime = .zero
        settings.settleTime = .zero
        settings.scrollPixels = -1
        settings.naturalScrolling = false
        settings.slowSpeed = -1
        settings.slowGain = -1
        settings.fastSpeed = -1
        settings.fastGain = -1
        settings.pointerScale = -1
        settings.maximumZoom = -1
        for (name, value) in vectors.defaults { try Self.set(name, value, in: &settings) }
        #expect(settings == GestureSettings())
    }

    @Test(arguments: vectors?.cases ?? [])
    func means(_ scenario: GestureVectors.Case) throws {
        var settings = GestureSettings()
        for (name, value) in scenario.settings ?? [:] { try Self.set(name, value, in: &settings) }
        var engine = GestureEngine(settings)
        if let zoom = scenario.zoom { engine.zoom = zoom }
        for (index, step) in scenario.steps.enumerated() {
            let now = Self.instant(step.at)
            #expect(step.isKnown, "step \(index + 1)")
            if let input = step.input { engine.handle(input, now: now) } else { engine.tick(now: now) }
            var actions: [GestureAction] = []
            while let action = engine.poll() { actions.append(action) }
            #expect(actions == (step.actions ?? []).map(\.value), "step \(index + 1) at \(step.at)")
            if let due = step.due {
                let deadline = engine.deadline?.at
                #expect(deadline == due.map(Self.instant), "step \(index + 1) at \(step.at)")
            }
        }
    }

    /// For any events in any order: presses and releases alternate, and the button is up in the end; the zoom stays
    /// within its limits; and with no finger down, no deadline is more than half a second away.
    @Test func endsWithNothingDown() {
        for seed in 0..<UInt64(3000) {
            var generator = SeededGenerator(seed: seed)
            var engine = GestureEngine()
            var time = 0.0
            var isDown = false
            var down: Set<Int> = []
            func check(_ actions: [GestureAction]) {
                for action in actions {
                    switch action {
                    case .button(let button, let goesDown):
                        #expect(button == .left && goesDown != isDown, "seed \(seed)")
                        isDown = goesDown
                    case .click: #expect(!isDown, "seed \(seed)")
                    case .zoom(let scale, _, _): #expect((1...8).contains(scale), "seed \(seed)")
                    case .move, .scroll, .pan, .resetZoom: break
                    }
                }
            }
            for _ in 0..<60 {
                time += generator.unit() * (generator.unit() < 0.1 ? 700 : 60)
                let id = Int.random(in: 1...4, using: &generator)
                let (x, y) = (generator.unit() * 300, generator.unit() * 300)
                switch Int.random(in: 0..<20, using: &generator) {
                case 0..<6:
                    engine.handle(.down(id: id, x: x, y: y), now: Self.instant(time))
                    down.insert(id)
                case 6..<12: engine.handle(.move(id: id, x: x, y: y), now: Self.instant(time))
                case 12..<18:
                    engine.handle(.up(id: id, x: x, y: y), now: Self.instant(time))
                    down.remove(id)
                case 18:
                    engine.handle(.cancel(id: id), now: Self.instant(time))
                    down.remove(id)
                default: engine.tick(now: Self.instant(time))
                }
                check(Self.drain(&engine))
            }
            for id in down { engine.handle(.cancel(id: id), now: Self.instant(time)) }
            check(Self.drain(&engine))
            #expect(!isDown, "seed \(seed)")
            engine.tick(now: Self.instant(time + 500))
            check(Self.drain(&engine))
            let deadline = engine.deadline?.at
            #expect(deadline == nil, "seed \(seed)")
            #expect(!isDown, "seed \(seed)")
        }
    }

    @Test func placesThatAreNoNumbersAreNobodys() {
        var engine = GestureEngine()
        for place in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
            engine.handle(.down(id: 1, x: place, y: 0), now: .zero)
            engine.handle(.down(id: 2, x: 0, y: place), now: .zero)
        }
        let deadline = engine.deadline?.at
        #expect(deadline == nil)
        engine.handle(.down(id: 1, x: 0, y: 0), now: .zero)
        engine.handle(.move(id: 1, x: .nan, y: 0), now: .zero)
        engine.handle(.up(id: 1, x: .nan, y: 0), now: .zero)
        #expect(Self.drain(&engine) == [.click(.left)])
    }

    private static func drain(_ engine: inout GestureEngine) -> [GestureAction] {
        var actions: [GestureAction] = []
        while let action = engine.poll() { actions.append(action) }
        return actions
    }

    private static func instant(_ milliseconds: Double) -> Instant {
        Instant(nanoseconds: Int64(milliseconds * 1e6))
    }

    private static func set(
        _ name: String, _ value: GestureVectors.Value, in settings: inout GestureSettings
    ) throws {
        switch (name, value) {
        case ("slop", .number(let points)): settings.slop = points
        case ("tapTime", .number(let time)): settings.tapTime = .milliseconds(time)
        case ("doubleTapTime", .number(let time)): settings.doubleTapTime = .milliseconds(time)
        case ("doubleTapSlop", .number(let points)): settings.doubleTapSlop = points
        case ("clickTime", .number(let time)): settings.clickTime = .milliseconds(time)
        case ("longPressTime", .number(let time)): settings.longPressTime = .milliseconds(time)
        case ("settleTime", .number(let time)): settings.settleTime = .milliseconds(time)
        case ("scrollPixels", .number(let points)): settings.scrollPixels = points
        case ("naturalScrolling", .flag(let isNatural)): settings.naturalScrolling = isNatural
        case ("slowSpeed", .number(let speed)): settings.slowSpeed = speed
        case ("slowGain", .number(let gain)): settings.slowGain = gain
        case ("fastSpeed", .number(let speed)): settings.fastSpeed = speed
        case ("fastGain", .number(let gain)): settings.fastGain = gain
        case ("pointerScale", .number(let scale)): settings.pointerScale = scale
        case ("maximumZoom", .number(let zoom)): settings.maximumZoom = zoom
        default: throw UnknownSetting(name: name)
        }
    }

    private struct UnknownSetting: Error {
        var name: String
    }
}
