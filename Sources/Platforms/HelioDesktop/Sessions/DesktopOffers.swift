import CPipeWire
import HelioDBusWire

/// A desktop's offers on the session's bus and by PipeWire, as lines for a report of a fault. They hold names and
/// versions alone.
package enum DesktopOffers {
    /// The names on the bus that tell which desktop and which parts of its portal there are.
    private static let names =
        ["org.gnome.Shell", "org.kde.KWin"]
        + ["gnome", "gtk", "kde", "wlr", "hyprland", "cosmic", "lxqt", "xapp"].map {
            "org.freedesktop.impl.portal.desktop.\($0)"
        }

    /// The lines about the bus of a session.
    package static func lines(_ bus: BusConnection) -> [String] {
        names.filter { bus.offers($0) }.map { "bus: \($0)" } + mutter(bus) + portal(bus)
    }

    private static func mutter(_ bus: BusConnection) -> [String] {
        [MutterSession.screenCast, MutterSession.remoteDesktop].compactMap { name in
            guard bus.offers(name) else { return nil }
            let path = "/" + name.split(separator: ".").joined(separator: "/")
            let version = (try? bus.property("Version", of: name, at: path, name))?.number
            return "bus: \(name), version \(version.map { "\($0)" } ?? "unknown")"
        }
    }

    private static func portal(_ bus: BusConnection) -> [String] {
        guard let offers = try? PortalOffers(bus) else {
            return bus.offers(PortalOffers.service) ? ["portal: shares no screens"] : ["portal: none"]
        }
        return [
            "portal: ScreenCast \(offers.screenCast), RemoteDesktop \(offers.remoteDesktop), Clipboard "
                + "\(offers.clipboard), pointer modes \(offers.cursorModes), devices \(offers.devices)"
        ]
    }

    /// The line about PipeWire.
    ///
    /// - Parameter answers: true if its server has taken a connection.
    package static func pipeWire(answers: Bool) -> String {
        let version = pw_get_library_version().map { String(cString: $0) } ?? "unknown"
        return "PipeWire: library \(version), \(answers ? "its server answers" : "no server answers")"
    }
}
