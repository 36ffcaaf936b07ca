import Foundation
import HelioAppModels
import HelioCore
import HelioHostFlow
import HelioScreenReading
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Synchronization
import Testing

/// The host's menu over a real screen, with a real viewer on loopback.
@Suite("The menu over a real screen", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
@MainActor
struct HostWalkTests {
    /// A viewer and the events it received.
    final class Viewer: Sendable {
        let sink: MirrorSink
        private let log = Mutex<[MirrorSink.Event]>([])

        init(_ link: String) throws {
            sink = try MirrorSink(link: link)
            Task { [weak self, events = sink.events] in
                for await event in events { self?.log.withLock { $0.append(event) } }
            }
            sink.start()
        }

        func count(where fits: (MirrorSink.Event) -> Bool) -> Int { log.withLock { $0.count(where: fits) } }
        var pictures: Int { count { if case .received(.video, _) = $0 { true } else { false } } }
        var isForbidden: Bool {
            log.withLock { log in
                log.compactMap { if case .permission(let allowed) = $0 { allowed } else { nil } }.last == false
            }
        }
        var isOut: Bool {
            count {
                switch $0 {
                case .ended, .disconnected: true
                default: false
                }
            } > 0
        }
    }

    @Test("shared, watched, driven, taken back, put out, stopped") func walk() async throws {
        let desktop = try Desktop(PixelSize(width: 320, height: 240))
        let home = FileManager.default.temporaryDirectory.appending(path: "helio-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: home) }
        let machine = FakeMachine()
        var sessions: [MirrorSharing] = []
        let flow = HostFlow(
            HostSurroundings(
                share: { wanted in
                    var base = MirrorSource.Options()
                    base.display = desktop.display
                    base.address = "127.0.0.1"
                    base.port = 0
                    base.home = home.path
                    sessions.append(try await MirrorSharing.start(wanted, base: base))
                    return sessions[sessions.count - 1]
                },
                permissions: machine, loginItem: machine, store: machine, openPreferences: {}, quit: {}))
        let table = try TextTable()
        let menu = Reader(driver: flow.menu, table: table)
        let settings = Reader(driver: flow.settings, table: table)
        // Sound and announcements are not tested here, and a test machine may have neither.
        #expect(settings.press("Viewers hear this Mac") && settings.press("Announce this Mac on the network"))

        #expect(menu.press("Share this Mac"))
        try await eventually("it is shared", sees: menu.text) { menu.text.contains("Code: ") }
        let source = try #require(sessions.first).source
        let first = try await source.link
        #expect(menu.text.contains("Code: \(first.code)"))
        let viewer = try Viewer(first.text)
        try await eventually("the viewer has a picture") { viewer.pictures > 0 }
        try await eventually("the menu says who watches", sees: menu.text) {
            menu.text.contains("<Disconnect 127.0.0.1")
        }
        // A link admits one viewer: the next one is shown.
        try await eventually("another code is shown", sees: menu.text) { !menu.text.contains(first.code) }
        try await eventually("the menu says who drives", sees: menu.text) {
            viewer.sink.send(.pointerMoved(x: 0.5, y: 0.5))
            return menu.text.contains(" is in control")
        }
        #expect(menu.press("Take control back"))
        try await eventually("the viewer is told") { viewer.isForbidden }
        try await eventually("nobody drives", sees: menu.text) { !menu.text.contains(" is in control") }
        #expect(menu.press("Let viewers control"))
        try await eventually("the viewer is told") { !viewer.isForbidden }
        let label = try #require(menu.text.firstMatch(of: /<(Disconnect 127\.0\.0\.1[^>]*)>/)).output.1
        #expect(menu.press(String(label)))
        try await eventually("the viewer is out") { viewer.isOut }
        try await eventually("the menu says so", sees: menu.text) { menu.text.contains("Nobody watches") }
        #expect(menu.press("Stop sharing") && menu.text.hasPrefix("= Not sharing"))
        await flow.close()
        await viewer.sink.stop()
    }

    @Test("browsers are served, by a link that changes with the code") func browsers() async throws {
        let desktop = try Desktop(PixelSize(width: 320, height: 240))
        let home = FileManager.default.temporaryDirectory.appending(path: "helio-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: home) }
        var base = MirrorSource.Options()
        base.display = desktop.display
        base.address = "127.0.0.1"
        base.port = 0
        base.home = home.path
        base.web = WebOptions()
        base.web?.port = 0
        base.web?.mediaPort = 0
        var wanted = SharingOptions()
        wanted.isAnnounced = false
        wanted.sharesSound = false
        let sharing = try await MirrorSharing.startWithBrowsers(wanted, base: base)
        let page = try #require(sharing.source.webURL)
        let code = try await sharing.code()
        #expect(page.hasPrefix("http") && page.contains("127.0.0.1"))
        #expect(await sharing.browserLink?.hasPrefix("\(page)#\(code)") == true)
        await sharing.stop()
        #expect(await sharing.browserLink == nil)
    }

    @Test("a display that is not there is said in the menu") func failing() async throws {
        let machine = FakeMachine()
        let flow = HostFlow(
            HostSurroundings(
                share: { wanted in
                    var base = MirrorSource.Options()
                    base.display = ":4321"
                    base.address = "127.0.0.1"
                    base.port = 0
                    return try await MirrorSharing.start(wanted, base: base)
                },
                permissions: machine, loginItem: machine, store: machine, openPreferences: {}, quit: {}))
        let menu = Reader(driver: flow.menu, table: try TextTable())
        #expect(menu.press("Share this Mac"))
        try await eventually("it is said", sees: menu.text) { menu.text.contains("! Sharing has failed:") }
        #expect(menu.text.contains(":4321"))
    }
}
