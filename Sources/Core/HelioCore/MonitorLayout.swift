/// The monitors of a display, and the captured one.
package struct MonitorLayout: Hashable, Sendable {
    /// The monitors, in the platform's order; never empty.
    package let monitors: [ScreenMonitor]
    /// The captured monitor, one of `monitors`.
    package let selected: ScreenMonitor

    /// - Parameter selected: one of `monitors`; this is not checked.
    package init(_ monitors: [ScreenMonitor], selected: ScreenMonitor) {
        self.monitors = monitors
        self.selected = selected
    }

    /// The monitor with this id. Throws `invalidArgument`, with the ids of all monitors, if there is none.
    package func monitor(_ id: ScreenMonitor.ID) throws(HelioError) -> ScreenMonitor {
        if let found = monitors.first(where: { $0.id == id }) { return found }
        let names = monitors.map(\.id).joined(separator: ", ")
        throw HelioError(.invalidArgument, "There is no monitor '\(id)' here; there are: \(names).")
    }
}

/// A monitor that can be captured.
package struct ScreenMonitor: Identifiable, Hashable, Sendable {
    /// The monitor's permanent name, the same after it is unplugged and plugged in again: RandR's name on X, the
    /// display's number on macOS.
    package var id: String
    /// The human-readable name.
    package var name: String
    /// The rectangle on the desktop, in the monitor's own pixels: on X, pixels of the root window; on macOS, the
    /// desktop's points times `scale`.
    package var rect: PixelRect
    package var isPrimary: Bool
    /// The number of pixels per point.
    package var scale: Double

    package init(id: String, name: String, rect: PixelRect, isPrimary: Bool, scale: Double = 1) {
        self.id = id
        self.name = name
        self.rect = rect
        self.isPrimary = isPrimary
        self.scale = scale
    }
}
