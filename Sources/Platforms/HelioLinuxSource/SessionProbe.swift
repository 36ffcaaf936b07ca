import CXCB
import Glibc
import HelioCore
internal import HelioDesktop
internal import HelioLocalSocket
internal import HelioWayland

/// Gathers the evidence about the session: its variables, whether the compositor's socket answers, and the X server's
/// kind.
enum SessionProbe {
    /// Gathers the evidence about this process's session and the server of a connection.
    ///
    /// - Parameter isNamed: true if the user names the display.
    static func look(at x: X11Connection, isNamed: Bool) throws(HelioError) -> SessionEvidence {
        look(at: try server(x), isNamed: isNamed)
    }

    /// Gathers the evidence about this process's session.
    ///
    /// - Parameters:
    ///   - server: the X server to capture.
    ///   - isNamed: true if the user names its display.
    ///   - isWhole: as in `evidence`.
    static func look(
        at server: SessionEvidence.Server, isNamed: Bool, isWhole: Bool = false
    ) -> SessionEvidence {
        evidence(server, isNamed: isNamed, isWhole: isWhole, by: ProcessVariable.value)
    }

    /// Gathers the evidence about a session with the given variables.
    ///
    /// - Parameters:
    ///   - isWhole: true to ask for ways as well that others are preferred to.
    ///   - variable: returns an environment variable by its name.
    static func evidence(
        _ server: SessionEvidence.Server, isNamed: Bool, isWhole: Bool = false, by variable: (String) -> String?
    ) -> SessionEvidence {
        var evidence = SessionEvidence(server: server, isServerNamed: isNamed)
        evidence.sessionType = variable("XDG_SESSION_TYPE") ?? ""
        evidence.compositor = variable("WAYLAND_DISPLAY") ?? ""
        // libwayland's default name.
        if evidence.compositor.isEmpty, evidence.sessionType == "wayland" { evidence.compositor = "wayland-0" }
        evidence.desktops = variable("XDG_CURRENT_DESKTOP") ?? ""
        if let path = socketPath(evidence.compositor, in: variable("XDG_RUNTIME_DIR")) {
            evidence.compositorAnswers = (try? LocalSocket.connect(to: path)) != nil
            if evidence.compositorAnswers, let connection = try? WaylandConnection(path: path) {
                evidence.compositorOffers = Set(connection.globals.map(\.interface))
            }
        }
        if evidence.isWayland { evidence.x11Sessions = X11Sessions.names() }
        if evidence.sessionType != "x11", isWhole || !evidence.hasScreencopy {
            askDesktop(&evidence, isWhole: isWhole, variable)
        }
        return evidence
    }

    /// Asks the session's bus what the desktop offers.
    private static func askDesktop(
        _ evidence: inout SessionEvidence, isWhole: Bool, _ variable: (String) -> String?
    ) {
        let bus: BusConnection
        do throws(HelioError) {
            bus = try SessionBus.connect(variable)
        } catch {
            evidence.portal = .missing("there is no D-Bus of a session")
            return
        }
        evidence.hasMutter = MutterSession.isOffered(bus)
        // The bus starts a portal for who asks, so it is asked in sessions alone that need one.
        guard evidence.isWayland, isWhole || !evidence.hasMutter else { return }
        do throws(HelioError) {
            evidence.portal = try PortalOffers(bus).drives ? .whole : .viewOnly
        } catch {
            evidence.portal = .missing(
                bus.offers(PortalOffers.service)
                    ? "the desktop's portal shares no screens" : "there is no desktop portal on the session's D-Bus")
        }
    }

    /// Gathers the evidence about this process's session and the server of a display, which may not be there.
    ///
    /// - Parameters:
    ///   - display: the display that the user names; `nil` for the value of `$DISPLAY`.
    ///   - isWhole: as in `evidence`.
    static func look(atDisplay display: String?, isWhole: Bool = false) -> SessionEvidence {
        let server =
            (try? server(X11Connection(display: display)))
            ?? SessionEvidence.Server(missing: X11Connection.name(ofDisplay: display))
        return look(at: server, isNamed: display != nil, isWhole: isWhole)
    }

    /// Returns which kind of server a connection leads to.
    static func server(_ x: X11Connection) throws(HelioError) -> SessionEvidence.Server {
        try isXwayland(x) ? .xwayland(x.displayName) : .own(x.displayName)
    }

    /// Returns true if the server is Xwayland: from version 23.1 it has an extension named XWAYLAND, and before that
    /// its outputs have names that begin with XWAYLAND.
    private static func isXwayland(_ x: X11Connection) throws(HelioError) -> Bool {
        if helio_xcb_has(x.raw, "XWAYLAND") != 0 { return true }
        return try outputNames(x).contains { $0.hasPrefix("XWAYLAND") }
    }

    /// Returns the names of RandR's outputs, also of those that are off; empty without RandR 1.3.
    private static func outputNames(_ x: X11Connection) throws(HelioError) -> [String] {
        guard try x.hasRandR(1, 3),
            let resources = try x.reply({
                xcb_randr_get_screen_resources_current_reply(
                    x.raw, xcb_randr_get_screen_resources_current(x.raw, x.root), $0)
            })
        else { return [] }
        defer { free(resources) }
        let outputs = UnsafeBufferPointer(
            start: xcb_randr_get_screen_resources_current_outputs(resources),
            count: Int(xcb_randr_get_screen_resources_current_outputs_length(resources)))
        var names: [String] = []
        for output in outputs {
            guard
                let info = try x.reply({
                    xcb_randr_get_output_info_reply(
                        x.raw, xcb_randr_get_output_info(x.raw, output, resources.pointee.config_timestamp), $0)
                })
            else { continue }
            defer { free(info) }
            let bytes = UnsafeRawBufferPointer(
                start: xcb_randr_get_output_info_name(info), count: Int(xcb_randr_get_output_info_name_length(info)))
            names.append(String(decoding: bytes, as: UTF8.self))
        }
        return names
    }

    /// Returns the path of a compositor's socket; `nil` without a name, or without the folder of its relative name.
    private static func socketPath(_ name: String, in folder: String?) -> String? {
        if name.isEmpty || name.hasPrefix("/") { return name.isEmpty ? nil : name }
        guard let folder, !folder.isEmpty else { return nil }
        return "\(folder)/\(name)"
    }
}
