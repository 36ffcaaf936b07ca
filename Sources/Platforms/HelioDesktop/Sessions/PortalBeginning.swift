import HelioCore
import HelioDBusWire

/// The steps by which a session of the portal begins.
struct PortalBeginning {
    static let failed = "The desktop's portal does not share the screen"
    /// The permission lasts until it is revoked (persist_mode).
    private static let untilRevoked = DBusValue.uint32(2)

    private let request: PortalRequest
    private let offers: PortalOffers
    private let token: PortalToken?
    private let patience: Duration
    /// The token with which this session begins; `nil` if the person is asked.
    private let stored: String?

    init(_ bus: BusConnection, _ offers: PortalOffers, _ token: PortalToken?, _ patience: Duration) {
        request = PortalRequest(bus: bus)
        self.offers = offers
        self.token = token
        self.patience = patience
        stored = token?.load()
    }

    /// True if input is asked for too.
    private var drives: Bool { offers.drives }

    /// The interface that leads the session.
    private var leader: String { drives ? "RemoteDesktop" : "ScreenCast" }

    /// True if the portal can keep the permission: for input it learned that later.
    private var keepsPermission: Bool { drives ? offers.remoteDesktop >= 2 : offers.screenCast >= 4 }

    func notes(takesInput: Bool) -> [String] {
        var notes: [String] = []
        if !drives {
            notes.append("the desktop's portal takes no input: the screen can only be watched")
        } else if !takesInput {
            notes.append("the person at the desktop allowed no input: the screen can only be watched")
        }
        if offers.cursorModes & 4 == 0 { notes.append("the pointer is a part of the picture") }
        if !keepsPermission { notes.append("the desktop asks each time: its portal keeps no permission") }
        return notes
    }

    /// Makes the session; returns its object.
    func create() throws(HelioError) -> String {
        let results = try granted(
            "CreateSession", of: leader, [], ["session_handle_token": .string(PortalRequest.token())],
            within: BusConnection.patience)
        guard let path = results["session_handle"]?.text, path.hasPrefix("/") else {
            throw HelioError(.captureFailed, Self.failed + ": its session has no name.")
        }
        return path
    }

    /// The permissions that the person has given.
    struct Started {
        var streams: [PortalSession.Stream]
        var takesInput: Bool
        var hasClipboard: Bool
    }

    /// Chooses what is shared, and starts the session.
    func start(_ path: String) throws(HelioError) -> Started {
        var permission: [String: DBusValue] = [:]
        if keepsPermission {
            permission["persist_mode"] = Self.untilRevoked
            if let stored { permission["restore_token"] = .string(stored) }
        }
        if drives {
            var options = permission
            options["types"] = .uint32(UInt32(offers.devices & 7))
            _ = try granted(
                "SelectDevices", of: "RemoteDesktop", [.path(path)], options, within: BusConnection.patience)
        }
        // Monitors, as many as the person allows; the pointer beside the picture if that can be had.
        var options: [String: DBusValue] = [
            "types": .uint32(1), "multiple": .bool(true), "cursor_mode": .uint32(offers.cursorModes & 4 != 0 ? 4 : 2),
        ]
        if !drives { options.merge(permission) { first, _ in first } }
        _ = try granted("SelectSources", of: "ScreenCast", [.path(path)], options, within: BusConnection.patience)
        if drives, offers.clipboard > 0 {
            // A clipboard that is refused ends nothing.
            _ = try? request.bus.call(
                .call(
                    PortalRequest.service, PortalRequest.object, "org.freedesktop.portal.Clipboard", "RequestClipboard",
                    [.path(path), .options([:])]))
        }
        let results = try granted("Start", of: leader, [.path(path), .string("")], [:], within: patience)
        // A token is good for one session: the next one is in the answer.
        if let next = results["restore_token"]?.text {
            token?.save(next)
        } else if stored != nil {
            token?.remove()
        }
        let streams = Self.streams(results["streams"])
        guard !streams.isEmpty else {
            throw HelioError(.captureFailed, Self.failed + ": it gives no monitor.")
        }
        return Started(
            streams: streams, takesInput: drives && (results["devices"]?.number ?? 0) & 3 != 0,
            hasClipboard: results["clipboard_enabled"]?.isTrue == true)
    }

    /// Reads the streams of an answer (`a(ua{sv})`), at most 16.
    static func streams(_ value: DBusValue?) -> [PortalSession.Stream] {
        var streams: [PortalSession.Stream] = []
        for element in value?.elements.prefix(16) ?? [] {
            let fields = element.elements
            guard fields.count >= 2, let node = fields[0].number else { continue }
            let properties = fields[1].dictionary
            let position = properties["position"]?.elements.compactMap(\.number) ?? []
            let size = properties["size"]?.elements.compactMap(\.number) ?? []
            let id = properties["id"]?.text ?? properties["mapping_id"]?.text ?? "portal-\(streams.count)"
            // The size is that of the picture once it has come.
            let area = PixelRect(
                x: position.count == 2 ? position[0] : 0, y: position.count == 2 ? position[1] : 0,
                width: size.count == 2 ? max(1, min(size[0], 16_384)) : 1,
                height: size.count == 2 ? max(1, min(size[1], 16_384)) : 1)
            if streams.contains(where: { $0.monitor.id == id }) { continue }
            streams.append(
                PortalSession.Stream(
                    node: UInt32(clamping: node),
                    monitor: ScreenMonitor(
                        id: id, name: "Monitor \(streams.count + 1)", rect: area, isPrimary: streams.isEmpty)))
        }
        return streams
    }

    private func granted(
        _ member: String, of interface: String, _ arguments: [DBusValue], _ options: [String: DBusValue],
        within patience: Duration
    ) throws(HelioError) -> [String: DBusValue] {
        let outcome: PortalRequest.Outcome
        do throws(BusFailure) {
            outcome = try request.call(interface, member, arguments, options, within: patience)
        } catch {
            throw error.error(.captureFailed, Self.failed)
        }
        switch outcome {
        case .granted(let results): return results
        case .refused:
            if member == "Start", stored != nil {
                token?.remove()
                throw HelioError(
                    .refused,
                    "The desktop no longer accepts the permission it gave before, and the person at it has refused a "
                        + "new one.")
            }
            throw HelioError(.refused, "The person at the desktop has refused to share the screen.")
        case .ended:
            throw HelioError(
                .captureFailed,
                Self.failed + ": its question was closed without an answer. Is the session locked, or nobody there?")
        }
    }
}
