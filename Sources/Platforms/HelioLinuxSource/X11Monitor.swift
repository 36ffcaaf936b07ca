import CXCB
import Glibc
internal import HelioCore

/// The monitors of an X screen, from RandR 1.5; without it, one monitor that covers the whole screen.
enum X11Monitor {
    /// The smallest side of a monitor in pixels: a smaller monitor can't be encoded.
    static let leastSide = 16

    /// Returns whether both sides of a monitor are at least `leastSide`.
    static func isLargeEnough(_ monitor: ScreenMonitor) -> Bool {
        monitor.rect.width >= leastSide && monitor.rect.height >= leastSide
    }

    /// Lists the monitors of a display, in the server's order.
    ///
    /// - Parameter display: the display's name, in the form of `$DISPLAY`; `nil` for the value of `$DISPLAY`.
    static func list(display: String? = nil) throws(HelioError) -> [ScreenMonitor] {
        try list(try X11Connection(display: display))
    }

    static func list(_ x: X11Connection) throws(HelioError) -> [ScreenMonitor] {
        let scale = try X11Scale.scale(x)
        let whole = ScreenMonitor(
            id: "screen", name: "screen", rect: PixelRect(x.rootSize), isPrimary: true, scale: scale)
        guard try x.hasRandR(1, 5),
            let reply = try x.reply({
                xcb_randr_get_monitors_reply(x.raw, xcb_randr_get_monitors(x.raw, x.root, 1), $0)
            })
        else { return [whole] }
        defer { free(reply) }
        var monitors: [ScreenMonitor] = []
        var iterator = xcb_randr_get_monitors_monitors_iterator(reply)
        while iterator.rem > 0 {
            let info = iterator.data.pointee
            let rect = PixelRect(
                x: Int(info.x), y: Int(info.y), width: Int(info.width), height: Int(info.height))
            let name = try name(of: info.name, x)
            monitors.append(
                ScreenMonitor(
                    id: name, name: name, rect: rect.intersection(whole.rect), isPrimary: info.primary != 0,
                    scale: scale))
            xcb_randr_monitor_info_next(&iterator)
        }
        monitors.removeAll { !isLargeEnough($0) }
        return monitors.isEmpty ? [whole] : monitors
    }

    /// Finds the monitor with the name or number `wanted`; for `nil`, the primary monitor, or the first if none is
    /// primary. Throws `invalidArgument` if there is no such monitor.
    static func choose(_ wanted: String?, of monitors: [ScreenMonitor]) throws(HelioError) -> ScreenMonitor {
        guard let wanted else { return primary(of: monitors) }
        if let named = monitors.first(where: { $0.id == wanted }) { return named }
        if let number = Int(wanted), monitors.indices.contains(number) { return monitors[number] }
        let names = monitors.enumerated().map { "\($0) (\($1.name))" }.joined(separator: ", ")
        throw HelioError(.invalidArgument, "There is no monitor '\(wanted)' here; there are: \(names).")
    }

    /// Returns the primary monitor, or the first if none is primary.
    ///
    /// - Parameter monitors: not empty.
    static func primary(of monitors: [ScreenMonitor]) -> ScreenMonitor {
        monitors.first(where: \.isPrimary) ?? monitors[0]
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
