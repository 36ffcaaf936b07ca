import CXCB
import Glibc
package import HelioCore

/// A monitor of an X screen, as RandR 1.5 tells; one that covers everything where there is no RandR.
package struct X11Monitor: Sendable, Hashable {
    /// From 0, in the server's order.
    package var index: Int
    /// The output's name: 'HDMI-1', 'screen'.
    package var name: String
    /// Its place in the root window, in pixels.
    package var rect: PixelRect
    package var isPrimary: Bool

    /// The monitors of a display.
    ///
    /// - Parameter display: as in `$DISPLAY`, which is taken when `nil`.
    package static func list(display: String? = nil) throws(HelioError) -> [X11Monitor] {
        try list(try X11Connection(display: display))
    }

    static func list(_ x: X11Connection) throws(HelioError) -> [X11Monitor] {
        let whole = X11Monitor(index: 0, name: "screen", rect: PixelRect(x.rootSize), isPrimary: true)
        guard x.firstEvent(of: HELIO_RANDR) != nil,
            let version = try x.reply({ xcb_randr_query_version_reply(x.raw, xcb_randr_query_version(x.raw, 1, 5), $0) }
            )
        else { return [whole] }
        let hasMonitors = (version.pointee.major_version, version.pointee.minor_version) >= (1, 5)
        free(version)
        guard hasMonitors,
            let reply = try x.reply({
                xcb_randr_get_monitors_reply(x.raw, xcb_randr_get_monitors(x.raw, x.root, 1), $0)
            })
        else { return [whole] }
        defer { free(reply) }
        var monitors: [X11Monitor] = []
        var iterator = xcb_randr_get_monitors_monitors_iterator(reply)
        while iterator.rem > 0 {
            let info = iterator.data.pointee
            let rect = PixelRect(
                x: Int(info.x), y: Int(info.y), width: Int(info.width), height: Int(info.height))
            monitors.append(
                X11Monitor(
                    index: monitors.count, name: try name(of: info.name, x), rect: rect.intersection(whole.rect),
                    isPrimary: info.primary != 0))
            xcb_randr_monitor_info_next(&iterator)
        }
        monitors.removeAll { $0.rect.isEmpty }
        return monitors.isEmpty ? [whole] : monitors
    }

    /// The monitor that `wanted` means: its number or name; the primary or first one when `nil`.
    static func choose(_ wanted: String?, of monitors: [X11Monitor]) throws(HelioError) -> X11Monitor {
        let found: X11Monitor? =
            if let wanted {
                monitors.first { $0.name == wanted } ?? monitors.first { String($0.index) == wanted }
            } else {
                monitors.first { $0.isPrimary } ?? monitors.first
            }
        if let found { return found }
        let names = monitors.map { "\($0.index) (\($0.name))" }.joined(separator: ", ")
        throw HelioError(.invalidArgument, "There is no display '\(wanted ?? "")' here; there are: \(names).")
    }

    private static func name(of atom: xcb_atom_t, _ x: X11Connection) throws(HelioError) -> String {
        guard let r = try x.reply({ xcb_get_atom_name_reply(x.raw, xcb_get_atom_name(x.raw, atom), $0) }) else {
            return "?"
        }
        defer { free(r) }
        let length = Int(xcb_get_atom_name_name_length(r))
        guard let bytes = xcb_get_atom_name_name(r) else { return "?" }
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
    }
}
