package import HelioCore
package import HelioDBusWire

/// The monitors that Mutter's `GetCurrentState` describes (org.gnome.Mutter.DisplayConfig).
package enum MutterMonitors {
    /// The product's name of the monitors that streams make: this program's own, or another's.
    private static let virtualProduct = "Virtual remote monitor"

    /// Returns the monitors that are on, those that show the same once, the primary one first.
    ///
    /// - Parameter state: the answer's arguments: serial number, monitors, logical monitors and properties.
    package static func list(_ state: [DBusValue]) -> [ScreenMonitor] {
        guard state.count >= 3 else { return [] }
        var sizes: [String: PixelSize] = [:]
        var names: [String: String] = [:]
        for monitor in state[1].elements {
            let fields = monitor.elements
            guard fields.count >= 3, let (connector, product) = identity(fields[0]), product != virtualProduct,
                let mode = fields[1].elements.first(where: { isCurrent($0) })
            else { continue }
            let size = mode.elements
            guard let width = size[1].number, let height = size[2].number, (1...16_384).contains(width),
                (1...16_384).contains(height)
            else { continue }
            sizes[connector] = PixelSize(width: width, height: height)
            names[connector] = fields[2].dictionary["display-name"]?.text ?? product
        }
        let monitors = state[2].elements.compactMap { logical($0, sizes, names) }
        return monitors.filter(\.isPrimary) + monitors.filter { !$0.isPrimary }
    }

    private static func identity(_ value: DBusValue) -> (connector: String, product: String)? {
        let parts = value.elements.compactMap(\.text)
        return parts.count == 4 && !parts[0].isEmpty ? (parts[0], parts[2]) : nil
    }

    private static func isCurrent(_ mode: DBusValue) -> Bool {
        let fields = mode.elements
        return fields.count >= 7 && fields[6].dictionary["is-current"]?.isTrue == true
    }

    private static func logical(
        _ value: DBusValue, _ sizes: [String: PixelSize], _ names: [String: String]
    ) -> ScreenMonitor? {
        let fields = value.elements
        guard fields.count >= 6, let x = fields[0].number, let y = fields[1].number, let scale = fields[2].fraction,
            let transform = fields[3].number, let isPrimary = fields[4].isTrue,
            let connector = fields[5].elements.compactMap({ identity($0)?.connector }).first(where: {
                sizes[$0] != nil
            }), var size = sizes[connector]
        else { return nil }
        // Turned by a quarter, or three.
        if transform % 2 == 1 { size = PixelSize(width: size.height, height: size.width) }
        return ScreenMonitor(
            id: connector, name: names[connector] ?? connector,
            rect: PixelRect(x: x, y: y, width: size.width, height: size.height), isPrimary: isPrimary,
            scale: scale.isFinite && scale > 0 ? scale : 1)
    }
}
