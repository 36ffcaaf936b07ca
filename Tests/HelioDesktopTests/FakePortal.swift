import HelioCore
import HelioDBusWire
import HelioDesktop
import HelioTestPrograms
import Synchronization

/// A portal of the test's own, which answers for the person at the desktop.
final class FakePortal: Sendable {
    struct Script: Sendable {
        /// The versions of the two interfaces; 0 for none.
        var remoteDesktop: UInt32 = 2
        var screenCast: UInt32 = 5
        var clipboard: UInt32 = 0
        var cursorModes: UInt32 = 7
        /// The code of the answer to `Start`: 0 yes, 1 refused, 2 closed; `nil` for no answer.
        var start: UInt32? = 0
        var token: String? = "next-token"
        var devices: UInt32 = 3
        var streams: DBusValue = FakePortal.streams(["A": 17, "B": 23])
        /// True for a portal that answers input only when the test says so.
        var holdsInput = false
    }

    struct Call: Sendable {
        var member: String
        var arguments: [DBusValue]
        var options: [String: DBusValue] { arguments.last?.dictionary ?? [:] }
    }

    private let script: Script
    private let calls = Mutex<[Call]>([])
    private let held = Mutex<[DBusMessage]>([])
    private let connection = Mutex<BusConnection?>(nil)
    static let name = "org.freedesktop.portal.Desktop"

    /// Answers at a bus.
    init(_ bus: SessionBusProgram, _ script: Script = Script()) throws {
        self.script = script
        let service = try BusConnection(addresses: bus.address) { [weak self] in self?.answer($0) }
        connection.withLock { $0 = service }
        guard service.own(Self.name) else { throw Patience.Exhausted(description: "another portal is there") }
    }

    /// The streams of an answer, by their monitors' names.
    static func streams(_ nodes: [String: UInt32]) -> DBusValue {
        .array(
            "(ua{sv})",
            nodes.sorted { $0.key < $1.key }.enumerated().map { number, stream in
                .structure([
                    .uint32(stream.value),
                    .options([
                        "id": .string(stream.key), "position": .structure([.int32(Int32(number) * 640), .int32(0)]),
                        "size": .structure([.int32(640), .int32(400)]),
                    ]),
                ])
            })
    }

    /// The calls so far, but for those of properties.
    var seen: [Call] { calls.withLock { $0 } }

    func calls(of member: String) -> [Call] { seen.filter { $0.member == member } }

    /// Ends the sessions, as the person does.
    func closeSessions() {
        for call in calls(of: "Start") {
            guard let path = call.arguments.first?.text else { continue }
            post(.signal(path, "org.freedesktop.portal.Session", "Closed"))
        }
    }

    /// Answers the input that is held, once there is any; returns how much there was.
    func answerInput() -> Int {
        _ = Patience().wait { self.held.withLock { !$0.isEmpty } }
        let answers = held.withLock { held in
            defer { held = [] }
            return held
        }
        for answer in answers { post(answer) }
        return answers.count
    }

    func end() { connection.withLock { $0 = nil } }

    private func post(_ message: DBusMessage) { connection.withLock { $0 }?.post(message) }

    private func answer(_ message: DBusMessage) -> DBusMessage? {
        let arguments = (try? message.arguments()) ?? []
        if message.interface == "org.freedesktop.DBus.Properties" {
            return property(arguments).map { message.answer([.variant($0)]) }
                ?? message.failure("org.freedesktop.DBus.Error.InvalidArgs", "No such interface")
        }
        let call = Call(member: message.member ?? "", arguments: arguments)
        calls.withLock { $0.append(call) }
        switch call.member {
        case "CreateSession":
            respond(to: message, call, 0, ["session_handle": .string("/org/freedesktop/portal/desktop/session/1/x")])
        case "SelectDevices", "SelectSources": respond(to: message, call, 0, [:])
        case "Start":
            guard let code = script.start else { break }
            var results: [String: DBusValue] = ["streams": script.streams, "devices": .uint32(script.devices)]
            if script.clipboard > 0 { results["clipboard_enabled"] = .bool(true) }
            if let token = script.token { results["restore_token"] = .string(token) }
            respond(to: message, call, code, code == 0 ? results : [:])
        case let member where script.holdsInput && member.hasPrefix("Notify"):
            held.withLock { $0.append(message.answer()) }
            // Something must be sent in the answer's place, or the method were unknown.
            return .signal("/held", "org.heliograph.Test", "Held")
        default: return message.answer()
        }
        return message.answer([.path(Self.request(message, call))])
    }

    private static func request(_ message: DBusMessage, _ call: Call) -> String {
        let sender = (message.sender ?? ":").dropFirst().replacing(".", with: "_")
        return "/org/freedesktop/portal/desktop/request/\(sender)/\(call.options["handle_token"]?.text ?? "")"
    }

    private func respond(to message: DBusMessage, _ call: Call, _ code: UInt32, _ results: [String: DBusValue]) {
        post(
            .signal(
                Self.request(message, call), "org.freedesktop.portal.Request", "Response",
                [.uint32(code), .options(results)]))
    }

    private func property(_ arguments: [DBusValue]) -> DBusValue? {
        guard arguments.count == 2 else { return nil }
        switch (arguments[0].text, arguments[1].text) {
        case ("org.freedesktop.portal.ScreenCast", "version") where script.screenCast > 0:
            return .uint32(script.screenCast)
        case ("org.freedesktop.portal.ScreenCast", "AvailableCursorModes"): return .uint32(script.cursorModes)
        case ("org.freedesktop.portal.RemoteDesktop", "version") where script.remoteDesktop > 0:
            return .uint32(script.remoteDesktop)
        case ("org.freedesktop.portal.RemoteDesktop", "AvailableDeviceTypes"): return .uint32(7)
        case ("org.freedesktop.portal.Clipboard", "version") where script.clipboard > 0:
            return .uint32(script.clipboard)
        default: return nil
        }
    }
}
