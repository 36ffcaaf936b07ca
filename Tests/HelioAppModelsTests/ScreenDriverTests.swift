import HelioAppModels
import Testing

/// `ScreenDriver` performs effects in order, notifies views of each change, and gets its time from outside.
@MainActor
struct ScreenDriverTests {
    /// A counting model: each press causes an effect, which may produce an event.
    struct Counter: ScreenModel {
        enum Field: Hashable, Sendable { case note }

        var effects = EffectQueue<String>()
        var deadline: Duration?
        var log: [String] = []

        var screen: Screen<Int, Field> { Screen(.verbatim(log.joined(separator: " "))) }

        mutating func press(_ action: Int, now: Duration) {
            log.append("press \(action) at \(now)")
            for number in 0..<action { effects.append("effect \(number)") }
            deadline = now + .seconds(action)
        }

        mutating func edit(_ field: Field, _ text: String) { log.append("wrote \(text)") }

        mutating func handle(_ event: String, now: Duration) {
            log.append(event)
            if event == "more" { effects.append("last") }
        }

        mutating func tick(now: Duration) {
            log.append("tick")
            deadline = nil
        }
    }

    @Test("effects are done in order, before the view is told, once for a change")
    func order() {
        var story: [String] = []
        let driver = ScreenDriver(Counter(), now: { .seconds(7) }, perform: { story.append($0) })
        driver.onChange = { story.append("drawn") }
        driver.press(2)
        driver.edit(.note, "x")
        driver.handle("event")
        #expect(story == ["effect 0", "effect 1", "drawn", "drawn", "drawn"])
        #expect(driver.model.log == ["press 2 at 7.0 seconds", "wrote x", "event"])
        #expect(driver.model.screen.title == .verbatim("press 2 at 7.0 seconds wrote x event"))
    }

    @Test("whoever does an effect may tell what has come of it, and its effects are done, too")
    func reentrance() {
        var story: [String] = []
        var driver: ScreenDriver<Counter>?
        let perform: (String) -> Void = { effect in
            story.append(effect)
            if effect == "effect 0" { driver?.handle("more") }
        }
        driver = ScreenDriver(Counter(), now: { .zero }, perform: perform)
        driver?.press(2)
        #expect(story == ["effect 0", "effect 1", "last"])
        #expect(driver?.model.log == ["press 2 at 0.0 seconds", "more"])
    }

    @Test("effects that the model began with are done at the first change")
    func firstEffects() {
        var model = Counter()
        model.effects.append("early")
        var story: [String] = []
        let driver = ScreenDriver(model, now: { .zero }, perform: { story.append($0) })
        #expect(story == [])
        driver.tick()
        #expect(story == ["early"])
    }

    @Test("time to the next tick: never less than nothing, and none where nothing waits")
    func time() {
        var now = Duration.seconds(1)
        let driver = ScreenDriver(Counter(), now: { now }, perform: { _ in })
        #expect(driver.timeToTick == nil)
        driver.press(3)
        #expect(driver.timeToTick == .seconds(3))
        now = .seconds(2)
        #expect(driver.timeToTick == .seconds(2))
        now = .seconds(9)
        #expect(driver.timeToTick == .zero)
        driver.tick()
        #expect(driver.timeToTick == nil && driver.model.log.last == "tick")
    }

    @Test("effects beyond the queue's capacity are dropped and counted")
    func flood() {
        var count = 0
        let driver = ScreenDriver(Counter(), now: { .zero }, perform: { _ in count += 1 })
        driver.press(EffectQueue<String>.capacity + 5)
        #expect(count == EffectQueue<String>.capacity && driver.model.effects.drops == 5)
    }
}
