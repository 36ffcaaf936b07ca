import Foundation
import HelioCore
import HelioDBusWire
import HelioGround
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioDesktop

/// Sessions with a portal of the test's own.
@Suite("A session with the desktop's portal", .serialized, .timeLimit(.minutes(1)), .tags(.quiet)) struct PortalTests {
    private let bus: SessionBusProgram
    private let token: PortalToken

    init() throws {
        bus = try SessionBusProgram()
        token = PortalToken(folder: bus.folder.path + "/home")
    }

    private func session(_ patience: Duration = .seconds(20)) throws -> PortalSession {
        try PortalSession(BusConnection(addresses: bus.address), token: token, patience: patience)
    }

    private func failure(_ script: FakePortal.Script, _ patience: Duration = .seconds(20)) throws -> HelioError? {
        let portal = try FakePortal(bus, script)
        defer { withExtendedLifetime(portal) {} }
        return #expect(throws: HelioError.self) { try session(patience) }
    }

    @Test("what the portal offers is listed for reports of faults") func report() throws {
        let connection = try BusConnection(addresses: bus.address)
        #expect(DesktopOffers.lines(connection) == ["portal: none"])
        let portal = try FakePortal(bus)
        let lines = DesktopOffers.lines(connection)
        #expect(
            lines.count == 1 && lines[0].hasPrefix("portal: ScreenCast ") && lines[0].contains("devices 7"), "\(lines)")
        #expect(DesktopOffers.pipeWire(answers: false).hasSuffix("no server answers"))
        withExtendedLifetime(portal) {}
    }

    @Test("monitors are those that the person allows, and the permission is kept for the next time") func whole() throws
    {
        let portal = try FakePortal(bus)
        let first = try session()
        #expect(first.takesInput && first.notes.isEmpty && first.end == nil)
        #expect(try first.monitors().map(\.id) == ["A", "B"])
        #expect(try first.monitors()[1].rect == PixelRect(x: 640, y: 0, width: 640, height: 400))
        let devices = portal.calls(of: "SelectDevices")
        #expect(devices[0].options["types"] == .uint32(7) && devices[0].options["persist_mode"] == .uint32(2))
        #expect(devices[0].options["restore_token"] == nil)
        let sources = portal.calls(of: "SelectSources")[0].options
        #expect(sources["multiple"] == .bool(true) && sources["cursor_mode"] == .uint32(4))
        #expect(sources["persist_mode"] == nil, "the permission of a session with input is that interface's")

        var status = stat()
        #expect(stat(bus.folder.path + "/home/portal-token", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(token.load() == "next-token")
        let second = try session()
        #expect(portal.calls(of: "SelectDevices")[1].options["restore_token"] == .string("next-token"))
        withExtendedLifetime(second) {}
    }

    @Test("input goes by the portal's calls") func input() throws {
        let portal = try FakePortal(bus)
        let session = try session()
        for input: DesktopInput in [
            .move("B", x: 10, y: 12, of: PixelSize(width: 1280, height: 800)),
            .move("nobody's", x: 1, y: 1, of: PixelSize(width: 9, height: 9)), .moveBy(x: -1, y: 2),
            .button(0x110, isDown: true),
            .scroll(isHorizontal: true, detents: -3), .key(30, isDown: false), .keysym(0x10020AC, isDown: true),
        ] { session.send(input) }
        let names = [
            "NotifyPointerMotionAbsolute", "NotifyPointerMotion", "NotifyPointerButton", "NotifyPointerAxisDiscrete",
            "NotifyKeyboardKeycode", "NotifyKeyboardKeysym",
        ]
        try #require(Patience().wait { !portal.calls(of: names[5]).isEmpty })
        let calls = portal.seen.filter { $0.member.hasPrefix("Notify") }
        #expect(calls.map(\.member) == names)
        #expect(calls.allSatisfy { $0.arguments[0].text?.hasSuffix("/session/1/x") == true })
        #expect(
            calls.map { Array($0.arguments.dropFirst(2)) } == [
                [.uint32(23), .double(5), .double(6)], [.double(-1), .double(2)], [.int32(0x110), .uint32(1)],
                [.uint32(1), .int32(-3)], [.int32(30), .uint32(0)], [.int32(0x10020AC), .uint32(1)],
            ])
    }

    @Test("the portal has one input at a time, as it may do two in any order; movements that wait become one")
    func order() throws {
        var script = FakePortal.Script()
        script.holdsInput = true
        let portal = try FakePortal(bus, script)
        let session = try session()
        let size = PixelSize(width: 640, height: 400)
        let inputs: [DesktopInput] = [
            .key(30, isDown: true), .key(30, isDown: false), .move("A", x: 1, y: 1, of: size),
            .move("A", x: 2, y: 3, of: size), .moveBy(x: 1, y: 1), .moveBy(x: 2, y: 3),
            .scroll(isHorizontal: false, detents: 1), .scroll(isHorizontal: false, detents: 2),
            .scroll(isHorizontal: true, detents: 1), .button(0x110, isDown: true),
        ]
        for input in inputs { session.send(input) }
        for _ in 0..<7 { #expect(portal.answerInput() == 1) }
        let calls = portal.seen.filter { $0.member.hasPrefix("Notify") }
        #expect(
            calls.map { Array($0.arguments.dropFirst(2)) } == [
                [.int32(30), .uint32(1)], [.int32(30), .uint32(0)], [.uint32(17), .double(2), .double(3)],
                [.double(3), .double(4)], [.uint32(0), .int32(3)], [.uint32(1), .int32(1)],
                [.int32(0x110), .uint32(1)],
            ])
        // A portal that answers no more.
        session.send(.button(0x110, isDown: false))
        try #require(Patience().wait { portal.calls(of: "NotifyPointerButton").count == 2 })
        for number in 0..<300 { session.send(.button(0x110, isDown: number % 2 == 0)) }
        // Late presses are dropped, but late releases are sent.
        #expect(session.drops == ["portal-input-late": (300 - 256) / 2])
    }

    @Test("a clipboard is asked for where the portal has one, before the session starts") func clipboard() throws {
        var script = FakePortal.Script()
        script.clipboard = 1
        let portal = try FakePortal(bus, script)
        let session = try session()
        #expect(portal.seen.map(\.member).suffix(2) == ["RequestClipboard", "Start"])
        let port = try #require(session.clipboard)
        #expect(port.typesName == "mime_types" && !port.isSwitchedOn)
        try port.bus.call(port.message("SetSelection", [.options([port.typesName: .strings(["text/plain"])])]))
        #expect(portal.seen.last?.arguments.first?.text?.hasSuffix("/session/1/x") == true)
        #expect(portal.seen.last?.options["mime_types"]?.elements == [.string("text/plain")])
    }

    @Test("a session that the person ends says so, and so does one whose bus is gone") func end() throws {
        let portal = try FakePortal(bus)
        let session = try session()
        let ended = try Wakeup()
        let follower = session.follow { ended.signal() }
        portal.closeSessions()
        #expect(ended.wait(until: MonotonicClock.now + .seconds(20)))
        #expect(session.end == "The desktop has ended the sharing of its screen: by its person, or as it locked.")
        let other = try self.session()
        let second = other.follow { ended.signal() }
        ended.take()
        bus.kill()
        #expect(ended.wait(until: MonotonicClock.now + .seconds(20)))
        #expect(other.end == "The desktop's D-Bus has ended.")
        #expect(!follower.takeMonitorNews() && !second.takeMonitorNews())
        let error = #expect(throws: HelioError.self) { try other.openStream(of: "A") {} }
        #expect(error?.code == .captureFailed)
    }

    @Test("who refuses is told from who closes, and from nobody") func refused() throws {
        var script = FakePortal.Script()
        script.start = 1
        let refused = try failure(script)
        #expect(refused?.code == .refused)
        #expect(refused?.message == "The person at the desktop has refused to share the screen.")
        script.start = 2
        #expect(
            try failure(script)?.message
                == "The desktop's portal does not share the screen: its question was closed without an answer. Is the "
                + "session locked, or nobody there?")
        script.start = nil
        #expect(
            try failure(script, .milliseconds(200))?.message
                == "The desktop's portal does not share the screen: nobody has answered the desktop's question.")
    }

    @Test("a permission that is no longer accepted is forgotten, with a word") func rejected() throws {
        #expect(token.save("old"))
        var script = FakePortal.Script()
        script.start = 1
        #expect(
            try failure(script)?.message
                == "The desktop no longer accepts the permission it gave before, and the person at it has refused "
                + "a new one."
        )
        #expect(token.load() == nil)
    }

    @Test("a desktop without a portal, or with less than one, says what is missing") func missing() throws {
        let nobody = #expect(throws: HelioError.self) { try session() }
        #expect(nobody?.message.hasPrefix("There is no desktop portal in this session") == true)
        var script = FakePortal.Script()
        script.screenCast = 0
        #expect(try failure(script)?.message.contains("shares no screens here") == true)
    }

    @Test("where the portal takes no input, the screen can be watched") func viewOnly() throws {
        var script = FakePortal.Script()
        (script.remoteDesktop, script.cursorModes) = (0, 3)
        let portal = try FakePortal(bus, script)
        let session = try session()
        #expect(!session.takesInput)
        #expect(
            session.notes == [
                "the desktop's portal takes no input: the screen can only be watched",
                "the pointer is a part of the picture",
            ])
        let sources = portal.calls(of: "SelectSources")[0].options
        #expect(sources["persist_mode"] == .uint32(2) && sources["cursor_mode"] == .uint32(2))
        session.send(.key(30, isDown: true))
        #expect(portal.calls(of: "NotifyKeyboardKeycode").isEmpty)
    }

    @Test("an old portal keeps no permission, and a person may allow no input") func old() throws {
        #expect(token.save("of another time"))
        var script = FakePortal.Script()
        (script.remoteDesktop, script.devices, script.token) = (1, 0, nil)
        let portal = try FakePortal(bus, script)
        let session = try session()
        #expect(!session.takesInput && session.notes.count == 2)
        #expect(portal.calls(of: "SelectDevices")[0].options["restore_token"] == nil)
        #expect(token.load() == nil)
    }

    @Test("answers that make no sense are an error") func nonsense() throws {
        for streams: DBusValue in [
            .string("x"), .array("u", [.uint32(1)]), .array("(ua{sv})", []), .structure([.structure([.uint32(1)])]),
        ] {
            var script = FakePortal.Script()
            script.streams = streams
            #expect(
                try failure(script)?.message == "The desktop's portal does not share the screen: it gives no monitor.")
        }
    }

    @Test("a token that others may read is not used") func token0644() throws {
        #expect(token.save("secret") && token.load() == "secret")
        #expect(chmod(bus.folder.path + "/home/portal-token", 0o644) == 0)
        #expect(token.load() == nil)
        #expect(!token.save("") && !token.save(String(repeating: "x", count: 5000)))
        #expect(PortalToken { ["HELIOGRAPH_HOME": "", "HOME": "/h"][$0] } != nil && PortalToken { _ in nil } == nil)
    }
}
