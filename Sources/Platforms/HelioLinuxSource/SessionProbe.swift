import CXCB
import Glibc
import HelioCore

/// Gathers what is known of the session: its variables, the compositor's socket and the X server.
enum SessionProbe {
    /// Looks at this process's session.
    ///
    /// - Parameters:
    ///   - server: the X server that is asked for.
    ///   - isNamed: true if the user names it.
    static func look(at server: SessionEvidence.Server, isNamed: Bool) -> SessionEvidence {
        evidence(server, isNamed: isNamed) { getenv($0).map { String(cString: $0) } }
    }

    /// - Parameter variable: returns an environment variable by its name.
    static func evidence(
        _ server: SessionEvidence.Server, isNamed: Bool, by variable: (String) -> String?
    ) -> SessionEvidence {
        var evidence = SessionEvidence(server: server, isServerNamed: isNamed)
        evidence.sessionType = variable("XDG_SESSION_TYPE") ?? ""
        evidence.compositor = variable("WAYLAND_DISPLAY") ?? ""
        // The name that Wayland's own library takes.
        if evidence.compositor.isEmpty, evidence.sessionType == "wayland" { evidence.compositor = "wayland-0" }
        evidence.desktops = variable("XDG_CURRENT_DESKTOP") ?? ""
        if let path = socketPath(evidence.compositor, in: variable("XDG_RUNTIME_DIR")) {
            evidence.compositorAnswers = answers(at: path)
        }
        if evidence.isWayland { evidence.x11Sessions = X11Sessions.names() }
        return evidence
    }

    /// Returns which kind of server a connection leads to.
    static func server(_ x: X11Connection) throws(HelioError) -> SessionEvidence.Server {
        try isXwayland(x) ? .xwayland(x.displayName) : .own(x.displayName)
    }

    /// Returns true if the server is Xwayland: from version 23.1 it has an extension named XWAYLAND, and before that its
    /// outputs have names that begin with XWAYLAND.
    private static func isXwayland(_ x: X11Connection) throws(HelioError) -> Bool {
        if helio_xcb_has(x.raw, "XWAYLAND") != 0 { return true }
        return try outputNames(x).contains { $0.hasPrefix("XWAYLAND") }
    }

    /// Returns the names of RandR's outputs, also of those that are off; empty without RandR 1.3.
    private static func outputNames(_ x: X11Connection) throws(HelioError) -> [String] {
        guard x.firstEvent(of: HELIO_RANDR) != nil,
            let version = try x.reply({ xcb_randr_query_version_reply(x.raw, xcb_randr_query_version(x.raw, 1, 5), $0) }
            )
        else { return [] }
        let hasCurrent = (version.pointee.major_version, version.pointee.minor_version) >= (1, 3)
        free(version)
        guard hasCurrent,
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

    /// Returns whether a program listens at a local socket, without waiting for it.
    private static func answers(at path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        guard isShort else { return false }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, Int32(kind), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
