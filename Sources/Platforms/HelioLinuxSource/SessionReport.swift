import HelioCore
internal import HelioDesktop
internal import HelioLocalSocket
internal import HelioWayland

/// The session's offers for capturing its screen, as lines for a report of a fault: names, versions and sizes, but no
/// titles, serial numbers, addresses or paths.
enum SessionReport {
    static func lines(_ evidence: SessionEvidence, by variable: (String) -> String?) -> [String] {
        var lines = [
            "session: type \(word(evidence.sessionType)), desktop \(word(evidence.desktops)), compositor "
                + (evidence.compositorAnswers ? "answers" : "does not answer"),
            "X server: \(server(evidence.server))",
        ]
        lines += compositor(variable)
        do throws(HelioError) {
            lines += DesktopOffers.lines(try SessionBus.connect(variable))
        } catch {
            lines.append("bus: none")
        }
        let socket = variable("XDG_RUNTIME_DIR").map { $0 + "/pipewire-0" }
        let answers = socket.map { (try? LocalSocket.connect(to: $0)) != nil } ?? false
        lines.append(DesktopOffers.pipeWire(answers: answers))
        return lines
    }

    private static func server(_ server: SessionEvidence.Server) -> String {
        switch server {
        case .none: "none is named"
        case .unreachable: "one is named, but can't be opened"
        case .own: "has a screen of its own"
        case .xwayland: "Xwayland"
        }
    }

    /// The globals of the compositor with their versions, and its outputs.
    private static func compositor(_ variable: (String) -> String?) -> [String] {
        guard let path = try? WaylandSocket.path(variable), let connection = try? WaylandConnection(path: path) else {
            return []
        }
        let globals = connection.globals.filter { $0.interface != "wl_output" }
            .map { "global: \(word($0.interface)) \($0.version)" }.sorted()
        let outputs = (try? WaylandOutputs(connection))?.all ?? []
        return globals
            + outputs.map { output in
                "output: \(word(output.id)), mode \(output.mode), scale \(output.scale), transform "
                    + "\(output.transform), at \(output.logicalRect.x),\(output.logicalRect.y)"
                    + (output.isComplete ? "" : ", not described")
            }
    }

    /// Returns another program's word for a terminal: short, and with ASCII's visible characters alone.
    private static func word(_ text: String) -> String {
        let visible = String(
            text.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }.prefix(100).map(Character.init))
        return visible.isEmpty ? "unknown" : visible
    }
}
