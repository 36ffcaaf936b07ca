import Foundation
import HelioCore
import HelioDBusWire
import HelioGround
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioDesktop

/// Sessions with the real xdg-desktop-portal, whose part for the desktop is the test's own: it answers for the person,
/// and has mutter's pictures.
@Suite("A session with the real portal", .serialized, .timeLimit(.minutes(2)), .tags(.quiet)) struct RealPortalTests {
    private static let portal = "/usr/libexec/xdg-desktop-portal"

    /// The portal's part for a desktop.
    private final class Backend: Sendable {
        private static let name = "org.freedesktop.impl.portal.desktop.helio"
        let bus: BusConnection
        let notified = ThreadMailbox<[String]>([])

        /// - Parameters:
        ///   - node: PipeWire's number of the stream that is shared.
        ///   - code: the person's answer: 0 yes, 1 no, 2 closed.
        init(_ mutter: MutterDesktop, node: UInt32, code: UInt32) throws {
            let notified = notified
            bus = try BusConnection(addresses: mutter.bus.address) { message in
                let arguments = (try? message.arguments()) ?? []
                switch (message.interface, message.member) {
                case ("org.freedesktop.DBus.Properties", "GetAll"): return message.answer([Self.properties(arguments)])
                case (_, "CreateSession"), (_, "SelectDevices"), (_, "SelectSources"):
                    return message.answer([.uint32(0), .options([:])])
                case (_, "Start"):
                    let stream = DBusValue.structure([
                        .uint32(node),
                        .options(["size": .structure([.int32(640), .int32(400)]), "source_type": .uint32(1)]),
                    ])
                    return message.answer([
                        .uint32(code),
                        .options(code == 0 ? ["devices": .uint32(3), "streams": .array("(ua{sv})", [stream])] : [:]),
                    ])
                case (_, let member?) where member.hasPrefix("Notify"):
                    notified.put { $0.append(member) }
                    return message.answer()
                default: return nil
                }
            }
            guard bus.own(Self.name) else { throw Patience.Exhausted(description: "another backend is there") }
        }

        private static func properties(_ arguments: [DBusValue]) -> DBusValue {
            arguments.first?.text?.hasSuffix("ScreenCast") == true
                ? .options([
                    "version": .uint32(4), "AvailableSourceTypes": .uint32(3), "AvailableCursorModes": .uint32(7),
                ])
                : .options(["version": .uint32(1), "AvailableDeviceTypes": .uint32(7)])
        }

        /// Starts the portal, which finds this part.
        func startPortal(_ mutter: MutterDesktop) throws -> RunningProgram {
            guard FileManager.default.isExecutableFile(atPath: RealPortalTests.portal) else {
                throw RunningProgram.Ended(
                    description: "\(RealPortalTests.portal) is missing: script/install-packages test")
            }
            let folder = mutter.bus.folder.appending(path: "portals")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try """
            [portal]
            DBusName=\(Self.name)
            Interfaces=org.freedesktop.impl.portal.RemoteDesktop;org.freedesktop.impl.portal.ScreenCast;
            UseIn=helio
            """.write(to: folder.appending(path: "helio.portal"), atomically: true, encoding: .utf8)
            let environment = mutter.environment.merging(
                ["XDG_DESKTOP_PORTAL_DIR": folder.path, "XDG_CURRENT_DESKTOP": "helio"]) { $1 }
            let program = try RunningProgram(RealPortalTests.portal, ["--verbose"], environment: environment)
            _ = try Tool.run(
                ["gdbus", "wait", "--session", "--timeout", "30", FakePortal.name], environment: mutter.environment)
            return program
        }
    }

    private static func mutter(_ desktop: MutterDesktop) throws -> (MutterSession, UInt32) {
        let session = try MutterSession(BusConnection(addresses: desktop.bus.address))
        return (session, try session.node(of: "Meta-0"))
    }

    @Test("pictures come by the portal's connection, and input goes to the desktop") func whole() throws {
        let desktop = try MutterDesktop()
        let (mutter, node) = try Self.mutter(desktop)
        let backend = try Backend(desktop, node: node, code: 0)
        let portal = try backend.startPortal(desktop)
        let session = try PortalSession(
            BusConnection(addresses: desktop.bus.address), token: PortalToken(folder: desktop.bus.folder.path + "/home")
        )
        #expect(session.takesInput)
        #expect(session.notes == ["the desktop asks each time: its portal keeps no permission"])
        let monitor = try #require(try session.monitors().first)
        #expect(monitor.rect.size == PixelSize(width: 640, height: 400))
        let news = try Wakeup()
        let stream = try session.openStream(of: monitor.id) { news.signal() }
        #expect(news.wait(until: MonotonicClock.now + .seconds(20)))
        #expect(stream.takeNews().size == PixelSize(width: 640, height: 400))
        session.send(.move(monitor.id, x: 10, y: 10, of: monitor.rect.size))
        session.send(.keysym(0x61, isDown: true))
        let seen = backend.notified.take(until: MonotonicClock.now + .seconds(20)) { $0.count >= 2 ? $0 : nil }
        #expect(seen == ["NotifyPointerMotionAbsolute", "NotifyKeyboardKeysym"])
        withExtendedLifetime((mutter, portal)) {}
    }

    @Test(
        "who refuses is told from who closes",
        arguments: [(UInt32(1), "has refused to share the screen"), (2, "closed without an answer")])
    func refused(code: UInt32, text: String) throws {
        let desktop = try MutterDesktop()
        let (mutter, node) = try Self.mutter(desktop)
        let backend = try Backend(desktop, node: node, code: code)
        let portal = try backend.startPortal(desktop)
        let error = #expect(throws: HelioError.self) {
            try PortalSession(BusConnection(addresses: desktop.bus.address), token: nil)
        }
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        withExtendedLifetime((mutter, portal)) {}
    }
}
