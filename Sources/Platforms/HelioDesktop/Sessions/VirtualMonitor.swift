package import HelioCore

/// A monitor that exists only while it is shared, for a machine without one.
package enum VirtualMonitor {
    /// Its name, and the beginning of the names that have a size: `virtual-1920x1080`.
    package static let name = "virtual"
    /// The size without one in its name.
    package static let usualSize = PixelSize(width: 1920, height: 1080)

    /// Returns the size of a virtual monitor; `nil` if the id is another monitor's.
    package static func size(of id: String) -> PixelSize? {
        if id == name { return usualSize }
        guard id.hasPrefix(name + "-") else { return nil }
        let sides = id.dropFirst(name.count + 1).split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (64...8192).contains(width),
            (64...8192).contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// Returns the description of the monitor; `nil` if the id is another monitor's.
    package static func monitor(_ id: String) -> ScreenMonitor? {
        size(of: id).map { ScreenMonitor(id: id, name: "Virtual", rect: PixelRect($0), isPrimary: false) }
    }
}
