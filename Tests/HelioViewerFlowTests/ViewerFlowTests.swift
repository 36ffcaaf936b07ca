import HelioAppModels
import HelioCore
import HelioViewerFlow
import HelioViewing
import Testing

/// Drives the viewer through its screens, with a host that the test plays.
@MainActor
@Suite("The viewer's way through its screens", .timeLimit(.minutes(1)))
struct ViewerFlowTests {
    let world = FakeWorld()
    let store = MemoryStore()

    private static let studio = ListedHost(name: "Studio", address: "10.0.0.2:7236", fingerprint: "aa")
    private static let size = PixelSize(width: 1920, height: 1080)

    /// Returns a viewer with a paired host in its list.
    private func atHome() throws -> FlowTerminal {
        world.paired = [Self.studio]
        world.found = FoundHosts([Self.studio])
        return try FlowTerminal(world, store)
    }

    /// Returns a viewer in a session with control.
    private func inSession() throws -> (FlowTerminal, FakeSession) {
        let t = try atHome()
        #expect(t.press("Studio"))
        let session = try #require(world.session)
        session.tell(.playing(Self.size, allowsControl: true))
        session.tell(.driver(.you))
        #expect(session.taken() == [.start])
        return (t, session)
    }

    @Test("from the list to the session, and back")
    func session() throws {
        let t = try atHome()
        t.see("hosts")
        #expect(t.press("Studio"))
        t.see("opened")
        let session = try #require(world.session)
        #expect(session.host.listed == Self.studio && session.host.code == nil && session.options.playsSound)
        session.tell(.reached)
        t.see("answers")
        session.tell(.letIn)
        t.see("let in")
        session.tell(.playing(Self.size, allowsControl: true))
        session.tell(.driver(.you))
        t.see("session")
        #expect(t.flow.watching === session)
        #expect(t.press("Statistics"))
        session.tell(.figures([.init(name: "Frames/s", value: "60.0")]))
        session.tell(.sound(isThere: true))
        #expect(t.press("Sound") && t.press("Actual size") && t.press("More"))
        t.see("statistics, no sound, actual size")
        #expect(session.taken() == [.start, .sound(false), .actualSize(true)])
        #expect(t.press("Leave"))
        #expect(session.taken() == [.send(.releaseAll), .leave])
        session.tell(.ended(nil))
        t.see("left")
        #expect(t.press("Done"))
        t.see("hosts again")
        #expect(t.flow.watching == nil && t.flow.pad == nil)
        try t.expect("session")
    }

    @Test("an unknown host: people compare digits, and then it is open")
    func pairing() async throws {
        world.found = FoundHosts([Self.studio])
        let t = try FlowTerminal(world, store)
        #expect(t.press("Studio"))
        t.see("asked")
        #expect(t.write("pad", in: "Name of this device") && t.press("Pair"))
        await t.until { $0.text.contains("#") }
        t.see("comparing")
        #expect(t.press("They are the same"))
        await t.until { $0.title == "= Paired" }
        t.see("paired")
        #expect(world.names == ["pad"] && world.sessions.isEmpty)
        #expect(t.press("Done"))
        try #require(world.session).tell(.playing(Self.size, allowsControl: true))
        t.see("session")
        try t.expect("pairing")
    }

    @Test("digits that differ pair nobody, and neither does a host that says no")
    func pairingRefused() async throws {
        world.found = FoundHosts([Self.studio])
        let t = try FlowTerminal(world, store)
        #expect(t.press("Studio") && t.press("Pair"))
        await t.until { $0.text.contains("#") }
        #expect(t.press("They differ"))
        await world.pairingOver()
        t.see("they differ")
        world.pairingEnd = HelioError(.refused, "No.", reason: "pairing-denied")
        #expect(t.press("Pair"))
        await t.until { $0.text.contains("#") }
        #expect(t.press("They are the same"))
        await t.until { $0.text.contains("said no") }
        t.see("the host says no")
        #expect(t.press("Cancel"))
        #expect(world.paired.isEmpty && world.sessions.isEmpty && t.title == "= Hosts")
        try t.expect("pairingRefused")
    }

    @Test("who cancels a pairing hears no more of it")
    func pairingCancelled() async throws {
        world.found = FoundHosts([Self.studio])
        let t = try FlowTerminal(world, store)
        #expect(t.press("Studio") && t.press("Pair"))
        #expect(t.press("Cancel") && t.title == "= Hosts")
        await world.pairingOver()
        #expect(t.title == "= Hosts" && world.paired.isEmpty)
    }

    @Test("a wrong code asks again, and the right one opens")
    func wrongCode() async throws {
        let t = try FlowTerminal(world, store)
        #expect(t.write("10.0.0.7", in: "Address") && t.press("Open"))
        #expect(t.write("ABCDEFGHJKMNPQRS", in: "Code that the host shows") && t.press("Open"))
        let first = try #require(world.session)
        #expect(first.host.code == "ABCDEFGHJKMNPQRS" && first.host.listed.address == "10.0.0.7")
        first.tell(.ended(HelioError(.refused, "Wrong.", reason: "wrong-proof")))
        // The code may have been that of a host that pairs by code.
        await t.until { $0.title == "= Not let in" }
        #expect(world.pairings == 1)
        t.see("wrong code")
        #expect(t.write("0123456789ABCDEF", in: "Code that the host shows") && t.press("Open"))
        let second = try #require(world.session)
        #expect(second !== first && second.host.code == "0123456789ABCDEF")
        second.tell(.playing(Self.size, allowsControl: false))
        t.see("session")
        try t.expect("wrongCode")
    }

    @Test("a code that pairs opens the host by the pairing")
    func pairingCode() async throws {
        world.pairingCode = "0123456789ABCDEF"
        let t = try FlowTerminal(world, store)
        #expect(t.write("10.0.0.7:7236", in: "Address") && t.press("Open"))
        #expect(t.write("0123456789ABCDEF", in: "Code that the host shows") && t.press("Open"))
        try #require(world.session).tell(.ended(HelioError(.refused, "Wrong.", reason: "wrong-proof")))
        await t.until { _ in world.sessions.count == 2 }
        let second = try #require(world.session)
        #expect(second.host.code == nil)
        second.tell(.playing(Self.size, allowsControl: true))
        #expect(t.title == "= 10.0.0.7:7236")
    }

    @Test("a host that vanishes is looked for, and its picture comes back by itself")
    func comesBack() throws {
        let (t, session) = try inSession()
        #expect(t.press("Special keys"))
        guard case .session(let driver) = t.flow.place else {
            Issue.record("no session")
            return
        }
        driver.press(.key(row: 1, column: 0))
        session.tell(.disconnected(reason: "silent"))
        t.see("lost")
        #expect(session.taken() == [.send(.key(usage: 0xE3, isDown: true)), .send(.releaseAll)])
        t.wait(.seconds(100))
        #expect(world.sessions.count == 1, "The session tries by itself.")
        session.tell(.playing(Self.size, allowsControl: true))
        session.tell(.driver(.nobody))
        t.wait(.seconds(300))
        t.see("back")
        session.tell(.disconnected(reason: "silent"))
        session.tell(.ended(HelioError(.unreachable, "Gone.")))
        t.see("ended too soon")
        t.wait(.seconds(1))
        #expect(world.sessions.count == 2, "A host that is paired is opened anew.")
        t.wait(.seconds(180))
        t.see("given up")
        #expect(session.taken() == [.send(.releaseAll), .send(.releaseAll)])
        try t.expect("comesBack")
    }

    @Test("a session that says nothing while it searches is given up")
    func silentSearch() throws {
        let (t, session) = try inSession()
        session.tell(.disconnected(reason: "silent"))
        t.wait(ConnectingModel.searchTime + ConnectingModel.searchSlack)
        #expect(session.taken() == [.send(.releaseAll), .leave])
        session.tell(.playing(Self.size, allowsControl: true))
        #expect(t.title == "= Connection lost")
    }

    @Test(
        "each end is told in words",
        arguments: [
            (HelioError(.ended, "The host has stopped sharing."), "= Ended\nThe host has stopped sharing."),
            (HelioError(.refused, "Gone.", reason: "unknown-device"), "= Ended\nThe host has removed this device."),
            (HelioError(.refused, "Other key.", reason: HelioError.impostor), "= Not the host\n"),
            (HelioError(.unsupported, "No codec."), "= No picture\n"),
            (HelioError(.systemFailed, "No socket is left."), "= This has failed\nNo socket is left."),
            (HelioError(.refused, "x", reason: "something-new"), "= Not let in\nThe host refused: something-new."),
        ] as [(HelioError, String)])
    func ends(_ error: HelioError, _ text: String) throws {
        let (t, session) = try inSession()
        session.tell(.ended(error))
        #expect(t.text.hasPrefix(text), "\(t.text)")
        #expect(t.flow.watching == nil && t.press("Done") && t.title == "= Hosts")
    }

    @Test("a host that nothing answers at")
    func unreachable() throws {
        let t = try atHome()
        #expect(t.press("Studio"))
        t.wait(ConnectingModel.reachTime)
        #expect(t.title == "= Host not reached")
        let session = try #require(world.session)
        #expect(session.taken() == [.start, .leave])
        session.tell(.playing(Self.size, allowsControl: true))
        #expect(t.title == "= Host not reached", "What was left tells nothing any more.")
        #expect(t.press("Try again") && world.sessions.count == 2)
        #expect(t.press("Cancel") && world.session?.taken() == [.start, .leave])
    }

    @Test("somebody wants to drive, gets it, and is asked for it again")
    func driving() throws {
        let (t, session) = try inSession()
        session.tell(.controlRequested(name: "Ada"))
        t.see("Ada asks")
        #expect(t.press("Hand over"))
        session.tell(.driver(.other(name: "Ada")))
        #expect(t.press("Who watches"))
        t.see("Ada is in control")
        #expect(t.press("Ask for control"))
        session.tell(.driver(.you))
        session.tell(.controlRequested(name: ""))
        #expect(t.press("Not now"))
        #expect(t.press("Give up control"))
        #expect(session.taken() == [.send(.handOver), .send(.requestControl), .send(.handOver)])
        session.tell(.permission(allowsControl: false))
        t.see("the host has taken control back")
        try t.expect("driving")
    }

    @Test("monitors")
    func monitors() throws {
        let (t, session) = try inSession()
        let monitors = [
            SessionMonitor(id: "a", name: "Built-in", width: 2560, height: 1440, isMain: true),
            SessionMonitor(id: "b", name: "", width: 1920, height: 1080),
        ]
        session.tell(.monitors(monitors, selected: "a"))
        #expect(t.press("Monitors") && t.press("b"))
        #expect(session.taken() == [.monitor("b")])
        session.tell(.monitors(monitors, selected: "b"))
        #expect(t.text.contains("(o) b | 1920 × 1080"))
    }

    @Test("settings hold in the next run, and say where they can't be stored")
    func settings() throws {
        let t = try atHome()
        #expect(t.set("Play the host's sound") && t.set("Sync picture and sound"))
        #expect(t.set("Use my keyboard layout") && t.set("Only watch, even where I may control"))
        store.isFull = true
        #expect(t.set("Two fingers move the page"))
        #expect(t.settings.contains("! The settings could not be stored: The disk is full."))
        store.isFull = false
        let later = try atHome()
        #expect(
            later.settings == """
                = Settings
                [x] Two fingers move the page
                [x] Use my keyboard layout
                [ ] Play the host's sound
                [x] Sync picture and sound
                [x] Only watch, even where I may control
                """)
        #expect(later.press("Studio"))
        let options = try #require(world.session).options
        #expect(!options.playsSound && options.waitsForSound && options.typesText && options.watchesOnly)
        store.texts["playsSound"] = "perhaps"
        #expect(try atHome().settings.contains("[x] Play the host's sound"), "What can't be read is as at first.")
    }

    @Test("hosts that were used come back, without their secrets, until they are forgotten")
    func recent() throws {
        let t = try FlowTerminal(world, store)
        let secret = "ABCDEFGHJKMNPQRS"
        #expect(t.write("heliograph://10.0.0.5:7236/#\(secret)", in: "Address") && t.press("Open"))
        #expect(try #require(world.session).host.link?.hasSuffix(secret) == true)
        #expect(t.text.contains("Reaching 10.0.0.5:7236"))
        try #require(world.session).tell(.playing(Self.size, allowsControl: true))
        #expect(!store.texts.values.contains { $0.contains(secret) })
        let later = try FlowTerminal(world, store)
        #expect(later.text.contains("- Recent\n> 10.0.0.5:7236"))
        world.wantsCode = false
        #expect(later.press("10.0.0.5:7236"))
        try #require(world.session).tell(.playing(Self.size, allowsControl: true))
        #expect(later.press("More") && later.press("Forget this host"))
        #expect(world.session?.taken().last == .leave)
        world.session?.tell(.ended(nil))
        #expect(later.press("Done") && !later.text.contains("10.0.0.5"))
    }

    @Test("a name that is typed is the host of that name, where it is now")
    func name() throws {
        world.paired = [Self.studio]
        world.found = FoundHosts([ListedHost(name: "Studio", address: "10.0.0.9:7236", fingerprint: "aa")])
        let t = try FlowTerminal(world, store)
        #expect(t.write("studio", in: "Address") && t.press("Open"))
        #expect(try #require(world.session).host.listed.address == "10.0.0.9:7236")
        #expect(t.title == "= Reaching Studio …" && t.press("Cancel") && t.press("Done"))
        #expect(t.press("Forget Studio") && world.paired.isEmpty)
        #expect(!t.text.contains("- Paired"))
    }

    @Test("a code that is typed alone opens the only host here")
    func codeAlone() throws {
        world.found = FoundHosts([Self.studio])
        let t = try FlowTerminal(world, store)
        #expect(t.write("ABCD-EFGH-JKMN-PQRS", in: "Address") && t.press("Open"))
        let session = try #require(world.session)
        #expect(session.host.listed == Self.studio && session.host.code == "ABCDEFGHJKMNPQRS")
    }

    @Test("the network can't be searched")
    func obstacle() throws {
        world.found = FoundHosts([], obstacle: "The local network is not allowed.")
        let t = try FlowTerminal(world, store)
        #expect(t.text.contains("! The network can't be searched: The local network is not allowed."))
        world.tellFound?(FoundHosts([Self.studio]))
        #expect(t.text.contains("> Studio") && !t.text.contains("!"))
    }

    @Test("nothing stays down when the app goes to the background")
    func background() throws {
        let (t, session) = try inSession()
        guard case .session(let driver) = t.flow.place else {
            Issue.record("no session")
            return
        }
        driver.press(.key(row: 1, column: 0))
        driver.press(.key(row: 1, column: 3))
        let pad = try #require(t.flow.pad)
        pad.resize(width: 960, height: 540)
        pad.touch(.down, id: 1, x: 100, y: 100)
        t.wait(.seconds(1))
        #expect(
            session.taken() == [
                .send(.key(usage: 0xE3, isDown: true)), .send(.key(usage: 0xE1, isDown: true)),
                .send(.button(.left, isDown: true, x: 960.5 / 1920, y: 540.5 / 1080)),
            ])
        t.flow.enterBackground()
        #expect(
            session.taken() == [
                .send(.releaseAll), .send(.button(.left, isDown: false, x: 960.5 / 1920, y: 540.5 / 1080)),
                .paused(true),
            ])
        #expect(world.tellFound == nil && !driver.model.keyboard.rows[1][0].isDown)
        t.flow.begin()
        t.flow.begin()
        #expect(world.tellFound != nil && world.searches == 2, "One search at a time.")
        #expect(session.taken() == [.paused(false), .paused(false)])
        t.flow.type("c")
        #expect(session.taken() == [.send(.text("c"))], "Command is up.")
    }

    @Test("what is typed goes as text, as keys under a modifier, and as the keys that it stands for")
    func typing() throws {
        let (t, session) = try inSession()
        t.flow.type("né\nx\t")
        t.flow.deleteBackward()
        #expect(
            session.taken()
                == [
                    .text("né"), .key(usage: 0x28, isDown: true), .key(usage: 0x28, isDown: false), .text("x"),
                    .key(usage: 0x2B, isDown: true), .key(usage: 0x2B, isDown: false),
                    .key(usage: 0x2A, isDown: true), .key(usage: 0x2A, isDown: false),
                ].map { .send($0) })
        guard case .session(let driver) = t.flow.place else {
            Issue.record("no session")
            return
        }
        driver.press(.key(row: 1, column: 0))
        t.flow.type("C")
        driver.press(.key(row: 1, column: 0))
        #expect(
            session.taken()
                == [
                    .key(usage: 0xE3, isDown: true), .key(usage: 0xE1, isDown: true), .key(usage: 0x06, isDown: true),
                    .key(usage: 0x06, isDown: false), .key(usage: 0xE1, isDown: false),
                    .key(usage: 0xE3, isDown: false),
                ].map { .send($0) }, "Command stays down around Shift and C.")
    }

    @Test("full screen is what the window has done, by the bar or by the session's keys")
    func fullScreen() throws {
        let (t, session) = try inSession()
        var asked: [Bool] = []
        t.flow.setFullScreen = { asked.append($0) }
        #expect(t.press("Full screen") && t.text.contains("[ ] Full screen"))
        t.flow.fullScreenChanged(true)
        #expect(t.text.contains("[x] Full screen"))
        session.tell(.fullScreenAsked)
        #expect(asked == [true, false])
    }

    @Test("the app quits while it watches")
    func quit() throws {
        let (t, session) = try inSession()
        t.flow.quit()
        #expect(session.taken() == [.send(.releaseAll), .leave] && world.tellFound == nil)
    }

    @Test(
        "what is opened says nothing secret",
        arguments: [
            ("heliograph://10.0.0.5:7236/#SECRET", "10.0.0.5:7236"), ("10.0.0.5#SECRET", "10.0.0.5"),
            ("rtsp://me:SECRET@camera/live", "rtsp://camera/live"),
            ("rtsps://camera:322/a#sha256=00", "rtsps://camera:322/a"),
        ])
    func opened(_ text: String, _ shown: String) {
        let host = OpenedHost(ListedHost(name: text, address: text))
        #expect(host.listed == ListedHost(name: shown, address: shown) && host.link == text)
        #expect(!"\(host)".contains("SECRET"))
    }
}
