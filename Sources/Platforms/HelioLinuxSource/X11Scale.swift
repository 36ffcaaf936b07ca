import CXCB
import Glibc
import HelioCore

/// Reads the desktop's scale (pixels per point): the X resource `Xft.dpi` divided by 96, the same for all monitors.
enum X11Scale {
    private static let usualDPI = 96.0
    /// The plausible values; others count as not set.
    private static let sensibleDPI = 24.0...960.0
    /// The maximum length of the property that is read, in units of 4 bytes: some desktops store several kilobytes of
    /// resources.
    private static let mostOfProperty: UInt32 = 65536

    /// Returns the scale of a display; 1 if the desktop sets none.
    static func scale(_ x: X11Connection) throws(HelioError) -> Double {
        let cookie = xcb_get_property(
            x.raw, 0, x.root, XCB_ATOM_RESOURCE_MANAGER.rawValue, XCB_ATOM_STRING.rawValue, 0, mostOfProperty)
        guard let reply = try x.reply({ xcb_get_property_reply(x.raw, cookie, $0) }) else { return 1 }
        defer { free(reply) }
        guard let bytes = xcb_get_property_value(reply) else { return 1 }
        let count = Int(xcb_get_property_value_length(reply))
        return scale(resources: String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self))
    }

    /// - Parameter resources: the resources as `xrdb -query` prints them, one per line.
    static func scale(resources: String) -> Double {
        let key = "Xft.dpi:"
        guard let line = resources.split(separator: "\n").last(where: { $0.hasPrefix(key) }),
            let dpi = Double(line.dropFirst(key.count).filter { !$0.isWhitespace }), sensibleDPI.contains(dpi)
        else { return 1 }
        return dpi / usualDPI
    }
}
