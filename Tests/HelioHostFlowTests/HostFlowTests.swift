import HelioAppModels
import HelioHostFlow
import HelioScreenReading
import HelioTestLanes
import Testing

/// The host app driven through its screens, on a fake machine and virtual time.
@Suite(.tags(.quiet))
@MainActor
struct HostFlowTests {
    let machine = FakeMachine()
    let flow: HostFlow
    let menu: Reader<HostMenuModel>
    let settings: Reader<SettingsModel>

    init() throws {
        flow = machine.makeFlow()
        let table = try TextTable()
        menu = Reader(driver: flow.menu, table: table)
        settings = Reader(driver: flow.settings, table: table)
    }

    private func share() async {
        #expect(menu.press("Share this Mac"))
        await machine.settle()
    }

    @Test("a day of the host: shared, watched, driven, paired, stopped") func walk() async throws {
        var script = Script(of: "HelioHostFlowTests")
        script.see("at first", menu.text)
        #expect(menu.press("Share this Mac"))
        script.see("starting", menu.text)
        await machine.settle()
        let session = try #require(machine.sessions.first)
        script.see("shared", menu.text)
        session.set(viewers: [SharedViewer(number: 7, name: "iPad"), SharedViewer(number: 8, name: "10.0.0.8")])
        await machine.settle()
        script.see("watched", menu.text)
        session.set(viewers: [SharedViewer(number: 7, name: "iPad", drives: true)])
        // A change without an event is noticed at the next poll.
        await machine.wait(HostFlow.interval)
        script.see("driven", menu.text)
        #expect(menu.press("Take control back"))
        await machine.settle()
        script.see("taken back", menu.text)
        #expect(menu.press("Let viewers control"))
        #expect(menu.press("Side"))
        await machine.settle()
        script.see("the other monitor", menu.text)
        session.tell(.pairing(question: 3, name: "Phone", digits: "042917"))
        session.tell(.pairing(question: 4, name: "Other", digits: "111111"))
        await machine.settle()
        script.see("pairing", menu.text)
        #expect(menu.press("They are the same"))
        session.tell(.code("2222-EFGH-JKMN-PQRS"))
        #expect(menu.press("Disconnect iPad"))
        await machine.settle()
        script.see("alone with another code", menu.text)
        #expect(menu.press("Stop sharing"))
        await machine.settle()
        script.see("stopped", menu.text)
        #expect(
            session.asked == [
                "control false", "control true", "monitor 2", "pairing 4 deny", "pairing 3 control", "out 7", "stop",
            ])
        try script.expect("host")
    }

    @Test("a question that nobody answers is a no; one that is over goes away") func patience() async throws {
        await share()
        let session = try #require(machine.sessions.first)
        session.tell(.pairing(question: 1, name: "Phone", digits: "1"))
        await machine.settle()
        for _ in 0..<60 { await machine.wait(.seconds(1)) }
        #expect(session.asked == ["pairing 1 deny"])
        session.tell(.pairing(question: 2, name: "Phone", digits: "2"))
        session.tell(.pairingOver(question: 2))
        await machine.settle()
        #expect(!menu.text.contains("#"))
        session.tell(.pairing(question: 5, name: "Phone", digits: "5"))
        await machine.settle()
        #expect(menu.press("They differ"))
        #expect(session.asked == ["pairing 1 deny", "pairing 5 deny"])
    }

    @Test("without permission to record nothing is tried, and the menu says what to do") func refused() async throws {
        machine.mayRecord = false
        #expect(menu.press("Share this Mac"))
        await machine.settle()
        #expect(machine.sessions.isEmpty && machine.log == ["asks to record"])
        #expect(menu.text.contains("does not let Heliograph record"))
        #expect(menu.press("Open System Settings"))
        #expect(machine.log.last == "opens settings to record")
        machine.mayRecord = true
        await share()
        #expect(machine.sessions.count == 1 && menu.text.hasPrefix("= Sharing"))
    }

    @Test("without permission to act others only watch, until it is given") func watching() async throws {
        machine.mayAct = false
        await share()
        #expect(machine.log == ["asks to act"] && machine.options.last?.isViewOnly == true)
        #expect(menu.press("Open System Settings"))
        #expect(machine.log.last == "opens settings to act")
        machine.mayAct = true
        await machine.wait(HostFlow.interval)
        #expect(machine.sessions.count == 2 && machine.options.last?.isViewOnly == false)
        #expect(machine.sessions[0].asked == ["stop"])
        #expect(!menu.text.contains("Open System Settings"))
        // A revoked permission is reported, and viewers stay connected.
        machine.mayAct = false
        await machine.wait(HostFlow.interval)
        #expect(menu.text.contains("Open System Settings") && machine.sessions.count == 2)
    }

    @Test("what fails to begin, and what ends by itself, is said") func failing() async throws {
        machine.failure = "Port 7236 is taken."
        await share()
        #expect(menu.text.contains("Port 7236 is taken."))
        machine.failure = nil
        await share()
        let session = try #require(machine.sessions.first)
        session.tell(.failed("The display is gone."))
        await machine.settle()
        #expect(menu.text.contains("! Sharing has failed: The display is gone.") && session.asked == ["stop"])
        await share()
        machine.mayRecord = false
        machine.sessions.last?.tell(.failed("No frames."))
        await machine.settle()
        #expect(menu.text.contains("does not let Heliograph record"))
    }

    @Test("stopped while it starts, it ends when it has started") func hasty() async throws {
        #expect(menu.press("Share this Mac") && menu.press("Stop sharing"))
        await machine.settle()
        #expect(machine.sessions.allSatisfy { $0.asked == ["stop"] })
        #expect(menu.text.hasPrefix("= Not sharing"))
        // The next session starts once the ports are free.
        #expect(menu.press("Share this Mac") && menu.press("Stop sharing") && menu.press("Share this Mac"))
        await machine.settle()
        #expect(menu.text.hasPrefix("= Sharing"))
        #expect(machine.sessions.dropLast().allSatisfy { $0.asked == ["stop"] } && machine.sessions.last?.asked == [])
    }

    @Test("preferences are stored at once, and what is shared follows them") func preferences() async throws {
        var script = Script(of: "HelioHostFlowTests")
        script.see("at first", settings.text)
        await share()
        #expect(settings.press("Viewers may only watch"))
        #expect(settings.press("Viewers hear this Mac"))
        await machine.settle()
        let first = try #require(machine.sessions.first)
        #expect(first.asked == ["control false", "sound false"] && machine.sessions.count == 1)
        #expect(settings.press("Viewers may only watch"))
        #expect(first.asked.last == "control true")
        // A new name takes effect with the next session.
        #expect(settings.write("Studio", in: "Name of this Mac"))
        await machine.settle()
        #expect(machine.sessions.count == 1)
        script.see("set", settings.text)
        #expect(menu.press("Stop sharing"))
        await share()
        #expect(machine.options.last?.name == "Studio" && machine.options.last?.sharesSound == false)
        // Sound that was not offered can't be added: the session restarts.
        #expect(settings.press("Viewers hear this Mac"))
        await machine.settle()
        #expect(machine.sessions.count == 3 && machine.options.last?.sharesSound == true)
        let again = machine.makeFlow()
        #expect(again.settings.model.settings == flow.settings.model.settings)
        machine.isFull = true
        #expect(settings.press("Viewers hear this Mac"))
        script.see("not stored", settings.text)
        try script.expect("preferences")
    }

    @Test("it starts at login, or says why not; preferences open; quitting ends what is shared first")
    func login() async throws {
        #expect(menu.press("Start at login") && machine.isEnabled)
        #expect(menu.text.contains("[x] Start at login"))
        machine.refuses = "It was turned off in System Settings."
        #expect(menu.press("Start at login"))
        #expect(menu.text.contains("It was turned off in System Settings."))
        #expect(menu.press("Preferences") && machine.log == ["preferences"])
        await share()
        #expect(menu.press("Quit Heliograph"))
        await machine.settle()
        #expect(machine.sessions.first?.asked == ["stop"] && machine.log == ["preferences", "quit"])
    }
}
