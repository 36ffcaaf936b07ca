/// The monitors of a display, and the captured one.
package struct MonitorLayout: Hashable, Sendable {
    /// The monitors, in the platform's order; never empty.
    package let monitors: [ScreenMonitor]
    /// The captured monitor, one of `monitors`.
    package let selected: ScreenMonitor

    /// - Parameter selected: one of the monitors.
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
