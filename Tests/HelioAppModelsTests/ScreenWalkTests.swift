import HelioAppModels
import HelioScreenReading
import Testing

/// Visits every screen of the apps by its buttons, and reads its text.
struct ScreenWalkTests {
    let table: TextTable
    init() throws { table = try TextTable() }

    @Test func hosts() throws {
        let t = Terminal(HostListModel(), table)
        var script = Script(of: "HelioAppModelsTests")
        script.see("nothing yet", t.text)
        t.happens(.searchFailed("The local network is not allowed."))
        script.see("no search", t.text)
        t.happens(
            .found([
                ListedHost(name: "Studio", address: "10.0.0.9:7236", fingerprint: "aa"),
                ListedHost(name: "attic", address: "10.0.0.4:7236"),
            ]))
        t.happens(
            .paired([
                ListedHost(name: "Studio", address: "10.0.0.2:7236", fingerprint: "aa"),
                ListedHost(name: "Office", address: "10.1.0.2:7236", fingerprint: "bb"),
            ]))
        t.happens(
            .recent([
                ListedHost(name: "old", address: "10.2.0.1:7236", usedAt: 5),
                ListedHost(name: "newer", address: "10.2.0.2:7236", usedAt: 9),
                ListedHost(name: "attic", address: "10.0.0.4:7236", usedAt: 7),
            ]))
        script.see("merged and sorted", t.text)
        #expect(t.write(" OFF", in: "Search"))
        script.see("searched", t.text)
        #expect(t.write("zzz", in: "Search"))
        script.see("no match", t.text)
        #expect(t.write("", in: "Search"))
        // A paired host with a new address is opened there, with the stored key.
        #expect(t.press("Studio"))
        #expect(t.taken() == [.open(ListedHost(name: "Studio", address: "10.0.0.9:7236", fingerprint: "aa"))])
        #expect(t.press("Forget Office"))
        #expect(t.write(" 10.9.9.9 ", in: "Address") && t.press("Open"))
        #expect(t.press("Open"))
        #expect(t.taken().last == .open(ListedHost(name: "10.9.9.9", address: "10.9.9.9")))
        t.happens(.found((0..<300).map { ListedHost(name: "h\($0)", address: "h\($0)") }))
        #expect(t.model.drops == 100)
        try script.expect("hosts")
    }

    @Test func pairing() throws {
        let t = Terminal(PairingModel(host: "Studio", canPair: true, name: "iPhone"), table)
        var script = Script(of: "HelioAppModelsTests")
        script.see("asked", t.text)
        #expect(t.write("abcd", in: "Code that the host shows") && t.press("Open"))
        script.see("half a code", t.text)
        #expect(t.write("abcdefgh jkmnpqoil", in: "Code that the host shows") && t.press("Open"))
        #expect(t.taken() == [.join(code: "ABCDEFGHJKMNPQ01")])
        script.see("calling", t.text)
        t.wait(PairingModel.patience)
        script.see("nobody answers", t.text)
        #expect(t.taken() == [.abandon])
        #expect(t.write("ABCDEFGHJKMNPQRS", in: "Code that the host shows") && t.press("Open"))
        #expect(t.taken() == [.join(code: "ABCDEFGHJKMNPQRS")])
        t.happens(.ended(.refused("wrong-proof")))
        script.see("wrong code", t.text)
        #expect(t.write("  ", in: "Name of this device") && t.press("Pair"))
        script.see("no name", t.text)
        #expect(t.write("iPad", in: "Name of this device") && t.press("Pair"))
        t.happens(.compare("042917"))
        script.see("comparing", t.text)
        #expect(t.press("They differ"))
        script.see("they differ", t.text)
        #expect(t.taken() == [.pair(name: "iPad"), .confirm(false)])
        #expect(t.press("Pair"))
        t.happens(.compare("111222"))
        #expect(t.press("They are the same"))
        script.see("confirmed", t.text)
        t.wait(PairingModel.patience)
        script.see("nobody has said yes", t.text)
        #expect(t.taken() == [.pair(name: "iPad"), .confirm(true), .abandon])
        #expect(t.press("Pair"))
        t.happens(.compare("333444"))
        #expect(t.press("They are the same"))
        t.happens(.paired)
        script.see("paired", t.text)
        t.wait(.seconds(600))
        #expect(t.press("Done") && t.taken().last == .close)
        script.see(
            "nobody at the host", Terminal(PairingModel(host: "Studio", canPair: false, name: "x"), table).text)
        try script.expect("pairing")
    }

    @Test func connecting() throws {
        let t = Terminal(ConnectingModel(host: "Studio", now: .zero), table)
        var script = Script(of: "HelioAppModelsTests")
        script.see("reaching", t.text)
        t.happens(.picture)
        #expect(t.taken() == [.connect], "A picture before being let in is none.")
        t.happens(.reached)
        script.see("being let in", t.text)
        t.happens(.letIn)
        script.see("waiting for the picture", t.text)
        t.wait(ConnectingModel.stepTime)
        script.see("no path", t.text)
        #expect(t.press("Try again"))
        t.wait(ConnectingModel.reachTime)
        script.see("unreachable", t.text)
        #expect(t.taken() == [.disconnect, .connect, .disconnect])
        #expect(t.press("Try again"))
        for event: ConnectingModel.Event in [.reached, .letIn, .picture] { t.happens(event) }
        script.see("watching", t.text)
        t.happens(.ended(.lost))
        script.see("lost", t.text)
        #expect(t.press("Try now"))
        script.see("tried", t.text)
        #expect(t.taken() == [.connect, .watch, .connect])
        t.wait(.seconds(200))
        script.see("given up", t.text)
        #expect(t.taken().filter { $0 == .connect }.count > 5)
        #expect(t.press("Try again") && t.press("Cancel"))
        script.see("cancelled", t.text)
        #expect(t.press("Open again"))
        t.happens(.ended(.refused("unknown-device")))
        #expect(t.taken().last == .ask(.refused("unknown-device")))
        try script.expect("connecting")
    }

    @Test func endings() throws {
        let reasons = [
            "wrong-proof", "unknown-device", "too-many-tries", "too-many-viewers", "pairing-off", "pairing-busy",
            "pairing-mismatch", "pairing-denied", "pairing-timed-out", "outside-hours", "paired-only", "something-new",
        ]
        let endings: [SessionEnding] =
            [.hostStopped, .revoked, .impostor, .unreachable, .noPath, .lost, .noCodec, .left]
            + reasons.map { .refused($0) }
        var script = Script(of: "HelioAppModelsTests")
        for ending in endings {
            let t = Terminal(ConnectingModel(host: "Studio", now: .zero), table)
            t.happens(.ended(ending))
            script.see("\(ending)", t.text)
        }
        try script.expect("endings")
    }

    @Test func session() throws {
        let t = Terminal(SessionModel(host: "Studio", now: .zero), table)
        var script = Script(of: "HelioAppModelsTests")
        script.see("begins", t.text)
        t.wait(SessionModel.barTime)
        script.see("the bar has gone", t.text)
        #expect(t.press("Show the bar"))
        var people = SessionPeople()
        people.control = .yours
        people.watchers = [.init(number: 1, name: "me", drives: true, isYou: true), .init(number: 2, name: "")]
        t.happens(.people(people))
        t.happens(.sound(isThere: true))
        t.happens(
            .monitors(
                [
                    SessionMonitor(id: "a", name: "Built-in", width: 2560, height: 1440, isMain: true),
                    SessionMonitor(id: "b", name: "", width: 1920, height: 1080),
                ], selected: "a"))
        #expect(t.press("Who watches"))
        t.wait(.seconds(60))
        script.see("people; an open panel stays", t.text)
        #expect(t.press("Give up control") && t.press("Monitors"))
        script.see("monitors", t.text)
        #expect(t.press("b") && t.press("Sound") && t.press("Actual size") && t.press("Full screen"))
        #expect(
            t.taken() == [.handOver(nil), .monitor("b"), .sound(false), .actualSize(true), .fullScreen(true)])
        t.happens(.fullScreen(true))
        t.happens(.figures([.init(name: "Delay", value: "31 ms")]))
        #expect(t.press("Statistics") && t.press("More"))
        script.see("more, statistics, full screen, no sound", t.text)
        #expect(t.press("More"))
        t.happens(.wantsToDrive(number: 2, name: "Ada"))
        script.see("somebody wants to drive", t.text)
        #expect(t.press("Hand over") && t.taken() == [.handOver(2)])
        t.happens(.wantsToDrive(number: 2, name: ""))
        script.see("a nameless one", t.text)
        t.wait(SessionModel.wishTime)
        people.control = .others("Ada")
        t.happens(.people(people))
        t.happens(.wantsToDrive(number: 2, name: "Ada"))
        #expect(t.press("Show the bar") && t.press("Who watches"))
        script.see("another drives", t.text)
        for control: SessionPeople.Control in [.free, .forbidden, .others("")] {
            people.control = control
            people.watchers = []
            t.happens(.people(people))
            script.see("\(control)", t.text)
        }
        #expect(t.press("More") && t.press("Forget this host") && t.press("Leave"))
        #expect(t.taken() == [.forget, .keyboard(.releaseAll), .leave])
        try script.expect("session")
    }

    @Test func specialKeyboard() throws {
        let t = Terminal(SessionModel(host: "Studio", now: .zero), table)
        #expect(t.press("Special keys") && t.model.keyboard.isShown)
        let rows = t.model.keyboard.rows.map { $0.map(\.label).joined(separator: " ") }
        #expect(
            rows == [
                "Esc F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12", "⌘ ⌥ ⌃ ⇧ ← → ↑ ↓", "Tab Del Home End PgUp PgDn",
            ])
        let names = t.model.keyboard.rows.flatMap { $0 }.map { table.words($0.name) }
        #expect(Set(names).count == names.count && !names.contains { $0.hasPrefix("MISSING") })
        t.wait(.seconds(10))
        t.model.press(.key(row: 1, column: 0), now: t.now)
        t.model.press(.key(row: 0, column: 0), now: t.now)
        #expect(!t.model.isBarShown, "A key brings no bar.")
        #expect(t.model.keyboard.rows[1][0].isDown)
        t.happens(.typed("c"))
        t.model.press(.key(row: 1, column: 0), now: t.now)
        t.model.press(.key(row: 7, column: 70), now: t.now)
        t.happens(.typed("é"))
        #expect(
            t.taken() == [
                .keyboard(.keyDown(keyCode: 0x37, modifiers: [])),
                .keyboard(.keyPress(keyCode: 0x35, modifiers: ["cmd"])),
                .keyboard(.keyPress(keyCode: 0x08, modifiers: ["cmd"])), .keyboard(.keyUp(keyCode: 0x37)),
                .keyboard(.text("é")),
            ])
        t.model.press(.key(row: 1, column: 3), now: t.now)
        t.happens(.interrupted)
        #expect(t.taken().last == .keyboard(.releaseAll) && !t.model.keyboard.rows[1][3].isDown)
    }

    @Test func settings() throws {
        var script = Script(of: "HelioAppModelsTests")
        let viewer = Terminal(SettingsModel(AppSettings(), side: .viewer), table)
        script.see("viewer", viewer.text)
        #expect(viewer.press("Sync picture and sound"))
        var wanted = AppSettings()
        wanted.waitsForSound = true
        #expect(viewer.taken() == [.store(wanted)])
        let host = Terminal(SettingsModel(AppSettings(), side: .host), table)
        #expect(host.press("Viewers may only watch") && host.write("Studio", in: "Name of this Mac"))
        host.happens(.failed("The disk is full."))
        script.see("host, not stored", host.text)
        host.happens(.stored)
        script.see("host", host.text)
        try script.expect("settings")
    }

    @Test func hostMenu() throws {
        let t = Terminal(HostMenuModel(), table)
        var script = Script(of: "HelioAppModelsTests")
        script.see("stopped", t.text)
        #expect(t.press("Share this Mac"))
        script.see("starting", t.text)
        t.happens(.noScreenPermission)
        script.see("no permission", t.text)
        #expect(t.press("Open System Settings") && t.press("Share this Mac"))
        t.happens(.failed("Port 7236 is taken."))
        script.see("failed", t.text)
        #expect(t.press("Share this Mac"))
        t.happens(.sharing(code: "ABCD-EFGH-JKMN-PQRS"))
        t.happens(.inputPermission(false))
        script.see("nobody watches, no input", t.text)
        #expect(!t.model.isWatched)
        t.happens(.inputPermission(true))
        t.happens(
            .people([.init(number: 3, name: "iPad", drives: true), .init(number: 4, name: "")], viewersMayDrive: true))
        t.happens(
            .monitors(
                [
                    SessionMonitor(id: "a", name: "Built-in", width: 2560, height: 1440, isMain: true),
                    SessionMonitor(id: "b", name: "Side", width: 1920, height: 1080),
                ], selected: "a"))
        script.see("watched", t.text)
        #expect(t.model.isWatched)
        #expect(t.taken() == [.start, .openPrivacySettings, .start, .start])
        #expect(t.press("Take control back") && t.press("Side") && t.press("Disconnect iPad"))
        #expect(t.taken() == [.takeBack, .monitor("b"), .disconnect(3)])
        t.happens(.people([.init(number: 3, name: "iPad")], viewersMayDrive: false))
        #expect(t.press("Let viewers control"))
        t.happens(.monitors([], selected: nil))
        t.happens(.wantsIn(number: 9, name: "Phone"))
        t.happens(.wantsIn(number: 10, name: "Other"))
        script.see("somebody wants in", t.text)
        #expect(t.press("Let in"))
        #expect(t.taken() == [.letDrive, .answerRequest(10, false), .answerRequest(9, true)])
        t.happens(.pairing(name: "Phone", digits: "042917"))
        script.see("pairing", t.text)
        t.wait(HostMenuModel.patience)
        #expect(t.taken() == [.answerPairing(false)], "No answer is no.")
        #expect(t.press("Start at login") && t.taken() == [.setStartAtLogin(true)])
        t.happens(.loginItemFailed("It was turned off in System Settings."))
        script.see("not at login", t.text)
        t.happens(.startsAtLogin(true))
        #expect(t.press("Stop sharing"))
        t.happens(.stopped)
        script.see("stopped again", t.text)
        #expect(t.press("Preferences") && t.press("Quit Heliograph"))
        #expect(t.taken() == [.stop, .openPreferences, .quit])
        try script.expect("hostMenu")
    }

    @Test func broadcast() throws {
        let t = Terminal(BroadcastModel(endpoint: nil, now: .zero), table)
        var script = Script(of: "HelioAppModelsTests")
        script.see("to the app", t.text)
        #expect(t.press("To a server") && t.write("http://x", in: "Server's address"))
        #expect(t.press("Start the broadcast"))
        script.see("no such server", t.text)
        #expect(t.write("rtmps://live/app", in: "Server's address") && t.write("secret", in: "Stream key"))
        script.see("the key is not shown", t.text)
        t.effects = []
        #expect(t.press("Start the broadcast"))
        #expect(t.taken() == [.store(endpoint: "rtmps://live/app", key: "secret")])
        t.happens(.notStored("No such group."))
        script.see("not stored", t.text)
        t.happens(.stored)
        #expect(t.taken() == [.showPicker])
        script.see("ready", t.text)
        beat(t, 0)
        script.see("live", t.text)
        for _ in 0..<20 {
            t.wait(.seconds(1))
            t.happens(.heartbeat(bytes(0)))
        }
        script.see("killed", t.text)
        beat(t, 1)
        t.happens(.heartbeat(bytes(2, isEnd: true)))
        script.see("ended", t.text)
        #expect(t.press("To who watches in this app") && t.press("Start the broadcast"))
        t.happens(.heartbeat(nil))
        beat(t, 3)
        script.see("live to the app", t.text)
        t.effects = []
        #expect(t.press("End the broadcast") && t.taken() == [.endRelay])
        try script.expect("broadcast")
    }

    @Test func killedIsToldInTime() {
        let t = Terminal(BroadcastModel(endpoint: nil, now: .zero), table)
        beat(t, 0)
        var told: Int?
        for second in 1...30 where told == nil {
            t.wait(.seconds(1))
            t.happens(.heartbeat(bytes(0)))
            if t.text.contains("killed") { told = second }
        }
        #expect(told.map { (15...20).contains($0) } == true)
    }

    private func beat(_ t: Terminal<BroadcastModel>, _ sequence: UInt64) {
        t.happens(.heartbeat(bytes(sequence)))
    }

    private func bytes(_ sequence: UInt64, isEnd: Bool = false) -> [UInt8] {
        BroadcastExtensionModel.heartbeat(run: 7, sequence: sequence, isEnd: isEnd, milliseconds: 1)
    }
}
