import HelioAppModels
import Testing

@Suite("The log of screens")
@MainActor
struct ScreenLogTests {
    @Test("names are logged, and no code, name or text")
    func names() {
        #expect(ScreenLog.line("press", HostMenuModel.Action.start) == "press start")
        #expect(ScreenLog.line("event", HostMenuModel.Event.sharing(code: "ABCD-EFGH")) == "event sharing")
        #expect(
            ScreenLog.line("event", HostMenuModel.Event.pairing(name: "Phone", digits: "042917")) == "event pairing")
        #expect(ScreenLog.line("effect", HostMenuModel.Effect.disconnect(7)) == "effect disconnect")
        #expect(
            ScreenLog.line("event", HostMenuModel.Event.failed("The display is gone."))
                == "event failed: The display is gone.")
    }

    @Test("a driver logs what was pressed, reported and executed, in this order")
    func driver() {
        var (lines, done) = ([String](), 0)
        let driver = ScreenDriver(HostMenuModel(), now: { .zero }, perform: { _ in done += 1 })
        driver.onLog = { lines.append($0) }
        driver.press(.start)
        driver.handle(.sharing(code: "ABCD-EFGH-JKMN-PQRS"))
        driver.press(.stop)
        #expect(lines == ["press start", "effect start", "event sharing", "press stop", "effect stop"])
        #expect(done == 2)
    }
}
